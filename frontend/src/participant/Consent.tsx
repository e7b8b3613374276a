// What the study is, what it stores, how to leave it, and in which language;
// joining begins with agreeing to it.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type FormEvent, type ReactNode, useState } from "react";
import type { StudyPage } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import { Check } from "../design/Field";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Pills } from "../design/Pills";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { Stack } from "../design/Stack";
import { useSay } from "../language/Speaking";
import styles from "./Consent.module.css";
import { Decline } from "./Decline";
import { wordsOf } from "./kinds/words";
import { Prose } from "./Prose";

interface ConsentProps {
  readonly study: StudyPage;
  /** Since the listener agreed to an earlier version. */
  readonly changed: boolean;
  readonly onLanguage: (language: string) => void;
  readonly onAgree: () => Promise<void>;
  readonly onDecline: () => Promise<void>;
}

export function Consent({ study, changed, onLanguage, onAgree, onDecline }: ConsentProps) {
  const say = useSay();
  const [agreed, setAgreed] = useState(false);
  const [joining, setJoining] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setJoining(true);
    await onAgree();
    setJoining(false);
  };
  const { version, paragraphs } = study.consent;
  const panel = study.panel?.title ?? say("panel.any");
  return (
    <Sheet title={study.title} above={<LanguageSwitch study={study} onLanguage={onLanguage} />}>
      <p className={look.lead}>{study.description}</p>
      <Facts study={study} />
      {changed && (
        <div role="alert">
          <Notice tone="warn">{say("consent.changed")}</Notice>
        </div>
      )}
      <Card as="form" onSubmit={(event) => void submit(event)}>
        <h2>{say("consent.heading")}</h2>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <More heading={say("consent.stored.heading")}>
          {study.media.map((medium) => (
            <p key={medium}>
              {wordsOf(medium)
                .stored(study)
                .map((text) => say(text))
                .join(" ")}
            </p>
          ))}
          {study.panel && <p>{say("consent.stored.panel", { panel })}</p>}
          {study.retention_days !== null && (
            <p>{say("consent.retention", { days: study.retention_days })}</p>
          )}
        </More>
        <More heading={say("consent.leave.heading")}>
          <p>{say("consent.leave.text")}</p>
        </More>
        {study.contact && (
          <More heading={say("contact.heading")}>
            <Prose text={study.contact} />
          </More>
        )}
        <Check className={styles.agree}>
          <input
            type="checkbox"
            required
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <span>{say("consent.agree")}</span>
        </Check>
        <Row>
          <Button type="submit" disabled={!agreed || joining}>
            {say(joining ? "consent.joining" : "consent.begin")}
          </Button>
          <span className={look.note}>{say("consent.version", { version })}</span>
        </Row>
        {study.panel && <Decline panel={panel} onDecline={onDecline} />}
      </Card>
    </Sheet>
  );
}

function More({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Stack gap={2}>
      <h3>{heading}</h3>
      {children}
    </Stack>
  );
}

function Facts({ study }: { readonly study: StudyPage }) {
  const say = useSay();
  const { minutes, trials_total: trials, headphones } = study;
  return (
    <Pills className={clsx(styles.facts, look.small)}>
      {minutes !== null && (
        <li>{minutes === 1 ? say("consent.one_minute") : say("consent.minutes", { minutes })}</li>
      )}
      <li>{say("consent.trials", { trials })}</li>
      {study.panel && <li>{say("consent.deadline", { minutes: study.panel.deadline_minutes })}</li>}
      {headphones === "required" && <li>{say("consent.headphones")}</li>}
    </Pills>
  );
}

interface LanguageSwitchProps {
  readonly study: StudyPage;
  readonly onLanguage: (language: string) => void;
}

/** Each language under its own name, so that who cannot read this page finds theirs. */
function LanguageSwitch({ study, onLanguage }: LanguageSwitchProps) {
  const say = useSay();
  if (study.languages.length < 2) return null;
  return (
    <nav className={clsx(styles.languages, look.small)} aria-label={say("language")}>
      {study.languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-current={language === study.language ? "true" : undefined}
          onClick={() => onLanguage(language)}
        >
          {nameOf(language)}
        </button>
      ))}
    </nav>
  );
}

function nameOf(language: string): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
