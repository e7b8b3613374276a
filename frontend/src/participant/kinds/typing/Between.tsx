// The calm pages of a trial to type: before each session, and where one could
// not be brought to its end.
// SPDX-License-Identifier: Apache-2.0

import type { ReactNode } from "react";
import type { AnyTaskForm, StageReason } from "../../../api/generated";
import { Button } from "../../../design/Button";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Notice } from "../../../design/Notice";
import { Row } from "../../../design/Row";
import { Stack } from "../../../design/Stack";
import { useSay } from "../../../language/Speaking";
import type { Key } from "../../../language/translation";
import type { Side } from "../../../player/pair";
import { clock } from "../../../player/parts";
import styles from "./Between.module.css";
import { Task } from "./Task";

interface BeforeProps {
  readonly task: AnyTaskForm;
  readonly member: Side;
  readonly onBegin: () => void;
}

export function Before({ task, member, onBegin }: BeforeProps) {
  const say = useSay();
  const first = member === "first";
  return (
    <Card as="div">
      {first ? (
        <p className={look.lead}>{say("typing.begin.lead")}</p>
      ) : (
        <div role="status">
          <h2>{say("typing.pause.title")}</h2>
          <p className={look.lead}>{say("typing.pause.text")}</p>
        </div>
      )}
      {first && (
        <Stack as="section" gap={4} className={styles.ahead} aria-label={say("typing.task")}>
          <Task task={task} rows={[]} keys={0} />
        </Stack>
      )}
      <p>
        {say("typing.begin.ready")}{" "}
        {say("typing.begin.limit", { minutes: `${clock(task.limit_s)} min` })}
      </p>
      <Row>
        <Button onClick={onBegin}>{say(`typing.begin.${member}`)}</Button>
      </Row>
    </Card>
  );
}

type Told = Extract<Key, `void.${string}`>;

const TOLD: Readonly<Partial<Record<StageReason, Told>>> = {
  "link-away": "void.link-away",
  hidden: "void.hidden",
  "host-lost": "void.host-lost",
  "host-behind": "void.host-behind",
  "taken-over": "void.taken-over",
  "too-much": "void.too-much",
  "too-few-keys": "void.too-few-keys",
};

interface VoidProps {
  readonly reason: StageReason;
  readonly onBegin: () => void;
}

export function Void({ reason, onBegin }: VoidProps) {
  const say = useSay();
  return (
    <Stopped tone="warn" title={say("void.title")} text={say(TOLD[reason] ?? "void.broken")}>
      <p>{say("void.again")}</p>
      <Row>
        <Button onClick={onBegin}>{say("void.begin")}</Button>
      </Row>
    </Stopped>
  );
}

export function Taken({ onBegin }: { readonly onBegin: () => void }) {
  const say = useSay();
  return (
    <Stopped title={say("taken.title")} text={say("taken.text")}>
      <Row>
        <Button quiet onClick={onBegin}>
          {say("taken.here")}
        </Button>
      </Row>
    </Stopped>
  );
}

export function Busy() {
  const say = useSay();
  return <Stopped role="status" title={say("busy.title")} text={say("busy.text")} />;
}

interface StoppedProps {
  readonly role?: "alert" | "status";
  readonly tone?: "warn";
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}

/** Why nothing is typed, and what there is to do. */
function Stopped({ role = "alert", tone, title, text, children }: StoppedProps) {
  return (
    <Card as="div" role={role}>
      <Notice {...(tone && { tone })} title={title}>
        <p>{text}</p>
      </Notice>
      {children}
    </Card>
  );
}
