// Questions beside the trials. What cannot be right is said beside the question,
// and the first of them gets the focus.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type FormEvent, useRef, useState } from "react";
import type { QuestionForm } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import { Field, Input, TextArea } from "../design/Field";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { useSay } from "../language/Speaking";
import choices from "./choices.module.css";
import { Draft } from "./draft";
import type { GivenAnswers } from "./flow";
import { answerTo, type Given, isEmpty, isFitting } from "./given";
import styles from "./Questions.module.css";

interface QuestionsProps {
  readonly participant_token: string;
  readonly when: "before" | "after";
  readonly questions: readonly QuestionForm[];
  readonly onAnswer: (answers: GivenAnswers) => Promise<void>;
}

export function Questions({ participant_token, when, questions, onAnswer }: QuestionsProps) {
  const say = useSay();
  const form = useRef<HTMLFormElement>(null);
  const [draft] = useState(() => new Draft("questions", `${when} ${participant_token}`));
  const [given, setGiven] = useState(() => draft.read().given ?? {});
  const give = (id: string, value: Given) => {
    const now = { ...given, [id]: value };
    setGiven(now);
    draft.write({ given: now });
  };
  const [checked, setChecked] = useState(false);
  const [sending, setSending] = useState(false);
  const wrong = questions.filter((question) => !isFitting(question, given[question.id]));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const [first] = wrong;
    if (first) return form.current?.querySelector<HTMLElement>(`[name="${first.id}"]`)?.focus();
    setSending(true);
    draft.sent();
    await onAnswer(
      Object.fromEntries(
        questions.map((question) => [question.id, answerTo(question, given[question.id])]),
      ),
    );
    setSending(false);
  };
  return (
    <Sheet title={say(`questions.${when}`)}>
      <Card
        ref={form}
        as="form"
        className={styles.questions}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {checked && wrong.length > 0 && (
          <div role="alert">
            <Notice tone="bad">{say("questions.some")}</Notice>
          </div>
        )}
        {questions.map((question) => (
          <Question
            key={question.id}
            question={question}
            given={given[question.id]}
            wrong={checked && wrong.includes(question)}
            onGive={(value) => give(question.id, value)}
          />
        ))}
        <Row>
          <Button type="submit" disabled={sending}>
            {say("go.on")}
          </Button>
        </Row>
      </Card>
    </Sheet>
  );
}

interface QuestionProps {
  readonly question: QuestionForm;
  readonly given: Given | undefined;
  readonly wrong: boolean;
  readonly onGive: (given: Given) => void;
}

function Question(props: QuestionProps) {
  return props.question.kind === "choice" ? <Choose {...props} /> : <Write {...props} />;
}

function Asked({ question, given, wrong, id }: Omit<QuestionProps, "onGive"> & { id: string }) {
  const say = useSay();
  return (
    <>
      {question.text}
      {question.required && <span className={look.note}> {say("questions.needed")}</span>}
      {wrong && (
        <span id={id} className={clsx(styles.wrong, look.small)}>
          {say(isEmpty(question, given) ? "questions.unanswered" : "questions.unfitting")}
        </span>
      )}
    </>
  );
}

function Choose({ question, given, wrong, onGive }: QuestionProps) {
  const say = useSay();
  const chosen = Array.isArray(given) ? given : given ? [given] : [];
  const wrongId = `${question.id}-wrong`;
  const change = (id: string, on: boolean) => {
    if (!question.several) return onGive(id);
    onGive(on ? [...chosen, id] : chosen.filter((other) => other !== id));
  };
  return (
    <fieldset aria-describedby={wrong ? wrongId : undefined}>
      <legend>
        <Asked question={question} given={given} wrong={wrong} id={wrongId} />
      </legend>
      {question.several && <p className={look.note}>{say("questions.several")}</p>}
      <div className={choices.choices}>
        {question.options.map(({ id, label }) => (
          <label key={id} className={choices.choice} data-testid="choice">
            <input
              type={question.several ? "checkbox" : "radio"}
              name={question.id}
              checked={chosen.includes(id)}
              onChange={(event) => change(id, event.target.checked)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Write({ question, given, wrong, onGive }: QuestionProps) {
  const say = useSay();
  const value = typeof given === "string" ? given : "";
  const { id, kind, minimum, maximum, max_length } = question;
  const common = {
    name: id,
    value,
    required: question.required,
    "aria-invalid": wrong,
    "aria-describedby": wrong ? `${id}-hint ${id}-wrong` : `${id}-hint`,
    onChange: (event: { target: { value: string } }) => onGive(event.target.value),
  };
  return (
    <Field
      id={id}
      label={<Asked question={question} given={given} wrong={wrong} id={`${id}-wrong`} />}
      note={
        <span id={`${id}-hint`}>
          {kind === "number"
            ? say("questions.range", { minimum: minimum ?? 0, maximum: maximum ?? 0 })
            : say("questions.length", { count: (max_length ?? 0) - value.length })}
        </span>
      }
    >
      {(field) =>
        kind === "number" ? (
          <Input {...common} id={field} inputMode="numeric" autoComplete="off" />
        ) : (
          <TextArea {...common} id={field} rows={4} maxLength={max_length ?? undefined} />
        )
      }
    </Field>
  );
}
