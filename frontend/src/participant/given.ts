// What somebody gave to a question, and whether it can be an answer.
// SPDX-License-Identifier: Apache-2.0
import type { QuestionForm } from "../api/generated";

/** As it stands in the form: text, or the ids of options. */
export type Given = string | string[];

type Asked = Pick<QuestionForm, "kind" | "required" | "several" | "minimum" | "maximum">;

/** The answer as the server takes it; null for one left out. */
export function answerTo(
  { kind, several }: Asked,
  given: Given | undefined,
): string | number | string[] | null {
  if (several) return Array.isArray(given) && given.length > 0 ? given : null;
  const text = (typeof given === "string" ? given : "").trim();
  if (text === "") return null;
  return kind === "number" ? Number(text) : text;
}

export const isEmpty = (question: Asked, given: Given | undefined): boolean =>
  answerTo(question, given) === null;

/** Whether the server would take it. */
export function isFitting(question: Asked, given: Given | undefined): boolean {
  const answer = answerTo(question, given);
  if (answer === null) return !question.required;
  if (question.kind !== "number") return true;
  const { minimum, maximum } = question;
  return (
    typeof answer === "number" &&
    Number.isInteger(answer) &&
    answer >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    answer <= (maximum ?? Number.POSITIVE_INFINITY)
  );
}
