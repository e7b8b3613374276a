// A text of the study: its blank lines part paragraphs.
// SPDX-License-Identifier: Apache-2.0

export function Prose({ text }: { readonly text: string }) {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  return paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}
