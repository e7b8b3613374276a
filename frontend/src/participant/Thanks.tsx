// The end: the code that proves completion, once the server holds every answer,
// and the link to withdraw by, to keep.
// SPDX-License-Identifier: Apache-2.0

import type { PanelEnd, StudyPage } from "../api/generated";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Sheet } from "../design/Sheet";
import { useSay } from "../language/Speaking";
import { linkTo } from "./address";
import { BackToPanel } from "./BackToPanel";
import { Copyable } from "./Copyable";
import { Debrief } from "./Debrief";
import { Prose } from "./Prose";

interface ThanksProps {
  readonly study: StudyPage;
  readonly code: string;
  /** Of whom a panel has sent. */
  readonly end: PanelEnd | null;
  readonly participant_token: string;
  readonly withdraw_token: string;
}

export function Thanks({ study, code, end, participant_token, withdraw_token }: ThanksProps) {
  const say = useSay();
  return (
    <Sheet title={say("thanks.title")}>
      <p className={look.lead}>{say(end ? "thanks.lead.panel" : "thanks.lead")}</p>
      {end ? (
        <BackToPanel study={study} end={end} />
      ) : (
        <Card aria-labelledby="code">
          <h2 id="code">{say("thanks.code")}</h2>
          <Copyable text={code} what="code" label={say("thanks.code")} />
          <p className={look.note}>{say("thanks.hand")}</p>
        </Card>
      )}
      {study.debriefs && <Debrief participant_token={participant_token} />}
      <Card aria-labelledby="withdraw">
        <h2 id="withdraw">{say("thanks.withdraw")}</h2>
        <p>{say("thanks.withdraw.text")}</p>
        <Copyable
          text={linkTo(study.slug, "w", withdraw_token)}
          what="link"
          label={say("withdraw.label")}
        />
      </Card>
      <Contact study={study} />
      {study.credits.length > 0 && (
        <section className={look.note} aria-labelledby="credits">
          <h2 id="credits" className={look.small}>
            {say("thanks.credits")}
          </h2>
          {study.credits.map((credit) => (
            <p key={credit}>{credit}</p>
          ))}
        </section>
      )}
    </Sheet>
  );
}

export function Contact({ study }: { readonly study: StudyPage }) {
  const say = useSay();
  if (!study.contact) return null;
  return (
    <section className={look.small} aria-labelledby="contact">
      <h2 id="contact" className={look.small}>
        {say("contact.heading")}
      </h2>
      <Prose text={study.contact} />
    </section>
  );
}
