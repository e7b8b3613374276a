// What is to be typed, with what bounds a session and whose network is let in.
// SPDX-License-Identifier: Apache-2.0

import type { StudyDefinition } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Pairs } from "../../../design/Pairs";
import { counted, percent } from "../../../staff/format";
import { said } from "../../said";
import styles from "./Tasks.module.css";

type Task = NonNullable<StudyDefinition["tasks"]>[string];

const KINDS: Readonly<Record<Task["kind"], string>> = {
  copy: "type these lines",
  correct: "correct the mistakes, {wrong|right}",
  hold: "hold a key until it reaches a mark",
  free: "type anything",
};

interface TasksProps {
  readonly definition: StudyDefinition;
  readonly language: string;
}

export function Tasks({ definition, language }: TasksProps) {
  const tasks = Object.entries(definition.tasks ?? {});
  const limits = definition.connection;
  if (tasks.length === 0) return null;
  return (
    <TitledCard id="tasks" title="Tasks">
      <Pairs>
        {tasks.map(([name, task]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {task.kind}, in {task.editor ?? "nano"}: {KINDS[task.kind]}
              <p className={look.note}>
                At most {task.limit_s} s, at least {counted(task.least_keys ?? 1, "key")}.
              </p>
              <Wanted task={task} language={language} />
            </dd>
          </div>
        ))}
      </Pairs>
      <Pairs className={look.small}>
        <div>
          <dt>Participant’s network</dt>
          <dd>
            let in up to a round trip of {limits?.rtt_ms_at_most ?? 150} ms, a jitter of{" "}
            {limits?.jitter_ms_at_most ?? 30} ms and a loss of{" "}
            {percent(limits?.lost_share_at_most ?? 0.02)}
          </dd>
        </div>
        <div>
          <dt>What is typed</dt>
          <dd>
            {definition.keep_text
              ? "kept: keys, screens and texts"
              : "not kept: only times, kinds of keys and counts"}
          </dd>
        </div>
      </Pairs>
    </TitledCard>
  );
}

function Wanted({ task, language }: { readonly task: Task; readonly language: string }) {
  switch (task.kind) {
    case "hold":
      return (
        <p className={look.small}>
          <kbd>{task.key ?? "x"}</kbd> to column {task.mark_column ?? 60},{" "}
          {counted(task.repeats ?? 3, "line")}
        </p>
      );
    case "free":
      return <p className={look.small}>{said(task.prompt, language)}</p>;
    default:
      return <pre className={styles.taskText}>{said(task.text, language)}</pre>;
  }
}
