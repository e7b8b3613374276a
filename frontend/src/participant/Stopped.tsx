// The places where a participant can go no further, or not yet: each says why,
// and what to do.
// SPDX-License-Identifier: Apache-2.0

import type { ReactNode } from "react";
import type { StudyPage } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { useSay } from "../language/Speaking";
import { BackToPanel } from "./BackToPanel";
import type { Flow } from "./flow";
import { type Plain, wordsOf } from "./kinds/words";
import type { Step } from "./steps";
import { Contact } from "./Thanks";

export type StoppedStep = Extract<
  Step,
  {
    at:
      | "missing"
      | "closed"
      | "preparing"
      | "full"
      | "invitation-needed"
      | "invitation-used"
      | "invitation-unknown"
      | "panel-needed"
      | "panel-unfit"
      | "took-part"
      | "check-failed"
      | "ineligible"
      | "forgotten"
      | "withdraw-unknown"
      | "failed";
  }
>;

interface StoppedProps {
  readonly step: StoppedStep;
  readonly flow: Flow;
}

export function Stopped({ step, flow }: StoppedProps) {
  const say = useSay();
  switch (step.at) {
    case "missing":
      return <Told title={say("missing.title")} text={say("missing.text")} />;
    case "closed":
    case "full":
      return (
        <Told
          title={say(`${step.at}.title`)}
          text={say(`${step.at}.text`, { title: step.study.title })}
          contact={<Contact study={step.study} />}
        >
          {step.at === "full" && (
            <Button onClick={() => void flow.begin()}>{say("full.again")}</Button>
          )}
        </Told>
      );
    case "preparing":
      return <Told title={say("preparing.title")} text={say(preparing(step.study))} />;
    case "invitation-needed":
    case "invitation-used":
    case "invitation-unknown": {
      const why = step.at.replace("-", ".") as `invitation.${"needed" | "used" | "unknown"}`;
      return (
        <Told
          title={say(`${why}.title`)}
          text={say(`${why}.text`)}
          contact={<Contact study={step.study} />}
        />
      );
    }
    case "panel-needed":
    case "panel-unfit": {
      const why = step.at === "panel-needed" ? "panel.needed" : "panel.unfit";
      const panel = step.study.panel?.title ?? say("panel.any");
      return (
        <Told
          title={say(`${why}.title`)}
          text={say(`${why}.text`, { panel })}
          contact={<Contact study={step.study} />}
        />
      );
    }
    case "took-part":
      return (
        <Told
          title={say("took_part.title")}
          text={say("took_part.text")}
          after={<BackToPanel study={step.study} end={null} />}
          contact={<Contact study={step.study} />}
        />
      );
    case "check-failed": {
      const { title, text, thanks } = step.said;
      return (
        <Told
          title={say(title)}
          text={say(text)}
          more={step.end === null && say(thanks)}
          after={step.end && <BackToPanel study={step.study} end={step.end} />}
          contact={<Contact study={step.study} />}
        />
      );
    }
    case "ineligible":
      return (
        <Told
          title={say("ineligible.title")}
          text={say("ineligible.text")}
          more={step.end === null && say("ineligible.thanks")}
          after={step.end && <BackToPanel study={step.study} end={step.end} />}
          contact={<Contact study={step.study} />}
        />
      );
    case "forgotten":
      return (
        <Told title={say("forgotten.title")} text={say("forgotten.text")}>
          <Button onClick={() => void flow.startOver()}>{say("forgotten.again")}</Button>
        </Told>
      );
    case "withdraw-unknown":
      return (
        <Told
          title={say("withdraw.unknown.title")}
          text={say("withdraw.unknown.text")}
          contact={step.study && <Contact study={step.study} />}
        />
      );
    case "failed":
      return (
        <Told
          title={say("failed.title")}
          text={say("failed.text")}
          more={<span lang="en">{step.problem.message}</span>}
        >
          <Button onClick={() => void flow.begin()}>{say("again")}</Button>
        </Told>
      );
  }
}

/** What a study that is being prepared waits for. */
function preparing({ media }: StudyPage): Plain {
  const said = media.map((medium) => wordsOf(medium).preparing);
  return said.find((text) => text !== undefined) ?? "preparing.text";
}

interface ToldProps {
  readonly title: string;
  readonly text: string;
  readonly more?: ReactNode;
  /** A card of its own. */
  readonly after?: ReactNode;
  readonly contact?: ReactNode;
  readonly children?: ReactNode;
}

function Told({ title, text, more, after, contact, children }: ToldProps) {
  return (
    <Sheet title={title}>
      <Card as="div">
        <p role="status">{text}</p>
        {more && <p className={look.soft}>{more}</p>}
        {children && <Row>{children}</Row>}
      </Card>
      {after}
      {contact}
    </Sheet>
  );
}
