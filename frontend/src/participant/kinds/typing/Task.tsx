// What is to be typed, and how far it is, as the screen shows it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type {
  AnyTaskForm,
  CopyForm,
  CorrectForm,
  EditorName,
  HoldForm,
} from "../../../api/generated";
import look from "../../../design/look.module.css";
import { Progress } from "../../../design/Progress";
import { useSay } from "../../../language/Speaking";
import { copied, corrected, held, shareCopied } from "../../../terminal/progress";
import styles from "./Task.module.css";

interface Seen<Form> {
  readonly task: Form;
  /** What can be read in the terminal; nothing before it is there. */
  readonly rows: readonly string[];
}

export function Task({ task, rows, keys }: Seen<AnyTaskForm> & { readonly keys: number }) {
  return (
    <>
      <Particular task={task} rows={rows} keys={keys} />
      <EditorHelp editor={task.editor} />
    </>
  );
}

function Particular({ task, rows, keys }: Seen<AnyTaskForm> & { readonly keys: number }) {
  const say = useSay();
  switch (task.kind) {
    case "copy":
      return <Copying task={task} rows={rows} />;
    case "correct":
      return <Correcting task={task} rows={rows} />;
    case "hold":
      return <Holding task={task} rows={rows} />;
    case "free":
      return (
        <>
          <p>{say("typing.free")}</p>
          <p className={styles.prompt}>{task.prompt}</p>
          <p className={look.note}>{say("typing.free.progress", { keys })}</p>
        </>
      );
  }
}

function EditorHelp({ editor }: { readonly editor: EditorName }) {
  const say = useSay();
  return <p className={look.note}>{say(`typing.editor.${editor}`)}</p>;
}

function Copying({ task, rows }: Seen<CopyForm>) {
  const say = useSay();
  const progress = copied(task, rows);
  const share = shareCopied(task.lines, progress);
  const now = progress.findIndex(({ done }) => !done);
  return (
    <>
      <p>{say("typing.copy")}</p>
      <ol className={styles.lines}>
        {task.lines.map((line, index) => {
          const { typed, wrong, done } = progress[index] ?? { typed: 0, wrong: false, done: false };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines stay where they are
            <li key={index} aria-current={index === now ? "true" : undefined}>
              <span className={styles.typed}>{line.slice(0, typed)}</span>
              <span
                className={index === now && wrong ? clsx(styles.next, styles.slip) : styles.next}
              >
                {line.slice(typed, typed + 1)}
              </span>
              {line.slice(typed + 1)}
              {done && <span className={look.spoken}> ({say("typing.done.line")})</span>}
            </li>
          );
        })}
      </ol>
      <Progress label={say("typing.task")} share={share} />
      <p className={look.note}>
        {say("typing.copy.progress", { percent: Math.floor(100 * share) })}
      </p>
    </>
  );
}

function Correcting({ task, rows }: Seen<CorrectForm>) {
  const say = useSay();
  const isCorrected = corrected(task, rows);
  const total = isCorrected.flat().length;
  const done = isCorrected.flat().filter(Boolean).length;
  return (
    <>
      <p>{say("typing.correct")}</p>
      <ol className={clsx(styles.lines, styles.mistakes)}>
        {task.lines.map((spans, line) => {
          let mistake = -1;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines stay where they are
            <li key={line}>
              {spans.map(({ text, right }, place) => {
                if (right === null) return text;
                mistake += 1;
                return (
                  <Mistake
                    // biome-ignore lint/suspicious/noArrayIndexKey: nor do the words move
                    key={place}
                    text={text}
                    right={right}
                    isCorrected={isCorrected[line]?.[mistake] ?? false}
                  />
                );
              })}
            </li>
          );
        })}
      </ol>
      <Progress label={say("typing.task")} share={total === 0 ? 1 : done / total} />
      <p className={look.note} role="status">
        {say("typing.correct.progress", { done, total })}
      </p>
    </>
  );
}

interface MistakeProps {
  readonly text: string;
  readonly right: string;
  readonly isCorrected: boolean;
}

function Mistake({ text, right, isCorrected }: MistakeProps) {
  const say = useSay();
  return (
    <span className={isCorrected ? clsx(styles.mistake, styles.corrected) : styles.mistake}>
      <span className={styles.was}>{text || "␣"}</span>
      <span className={look.spoken}> ({say("typing.correct.to", { right })}) </span>
      <span className={styles.should} aria-hidden="true">
        {right || "∅"}
      </span>
      {isCorrected && <span className={look.spoken}> ({say("typing.correct.corrected")}) </span>}
    </span>
  );
}

function Holding({ task, rows }: Seen<HoldForm>) {
  const say = useSay();
  const { key, repeats, mark_column } = task;
  const done = Math.min(repeats, held(task, rows));
  const [before, after] = say("typing.hold", { key: "\u0000" }).split("\u0000");
  const shown = Math.min(mark_column, 24);
  return (
    <>
      <p>
        {before}
        <kbd>{key}</kbd>
        {after}
      </p>
      <pre className={styles.mark} aria-hidden="true">
        {`${key.repeat(shown)}\n${" ".repeat(shown - 1)}^`}
      </pre>
      <Progress label={say("typing.task")} share={done / repeats} />
      <p className={look.note} role="status">
        {say("typing.hold.progress", { done, total: repeats })}
      </p>
    </>
  );
}
