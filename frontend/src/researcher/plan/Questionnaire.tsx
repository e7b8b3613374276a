// What participants are asked beside the trials.
// SPDX-License-Identifier: Apache-2.0

import type { StudyDefinition } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { said } from "../said";
import record from "./record.module.css";

type Question = NonNullable<StudyDefinition["questionnaire"]>[number];

interface QuestionnaireProps {
  readonly questions: readonly Question[];
  readonly language: string;
}

export function Questionnaire({ questions, language }: QuestionnaireProps) {
  return (
    <TitledCard id="questionnaire" title="Questionnaire">
      <ol className={record.entries}>
        {questions.map((question) => (
          <li key={question.id}>
            <span>{said(question.text, language)}</span>
            <span className={look.note}>
              {question.when === "before" ? "before the trials" : "after the trials"},{" "}
              {question.required ? "required" : "may be left out"} · {formOf(question, language)}
            </span>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}

function formOf(question: Question, language: string): string {
  switch (question.kind) {
    case "choice": {
      const options = question.options
        .map(
          ({ label, screens_out }) =>
            `${said(label, language)}${screens_out ? " (cannot take part)" : ""}`,
        )
        .join(" / ");
      return `${question.several ? "any of" : "one of"}: ${options}`;
    }
    case "number":
      return `a number from ${question.minimum ?? 0} to ${question.maximum ?? 1000}`;
    default:
      return `a text of at most ${question.max_length ?? 1000} characters`;
  }
}
