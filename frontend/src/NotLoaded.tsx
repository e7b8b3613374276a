// What is left to say when a part of the page could not be fetched.
// SPDX-License-Identifier: Apache-2.0

import { Component, type ReactNode } from "react";
import { Button } from "./design/Button";
import { Sheet } from "./design/Sheet";

// Said without the files of src/language: one of those may be what is missing.
const SAID = {
  en: {
    title: "The page did not load",
    text: "A part of this page could not be fetched. Nothing that you entered before is lost.",
    again: "Load again",
  },
  nb: {
    title: "Siden ble ikke lastet inn",
    text: "En del av siden kunne ikke hentes. Ingenting av det du har svart, er tapt.",
    again: "Last inn på nytt",
  },
} as const;

export function NotLoaded() {
  const language = /^(nb|nn|no)\b/.test(navigator.language) ? "nb" : "en";
  const { title, text, again } = SAID[language];
  return (
    <Sheet title={title}>
      <p>{text}</p>
      <Button onClick={() => location.reload()}>{again}</Button>
    </Sheet>
  );
}

/** Shows it instead of a page that threw. */
export class Whole extends Component<{ readonly children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <NotLoaded /> : this.props.children;
  }
}
