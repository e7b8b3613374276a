// A trial to type: the task in one terminal, a breath, the task in another, the
// answer. Both sessions are this one page; all that differs is "first" and "second".
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useEffect, useMemo, useRef, useState } from "react";
import type { RefusalCode, StageReason, TypedTrial, VoteCast } from "../../../api/generated";
import look from "../../../design/look.module.css";
import { Pills } from "../../../design/Pills";
import { Sheet } from "../../../design/Sheet";
import { Tag } from "../../../design/Tag";
import { useSay } from "../../../language/Speaking";
import type { Side } from "../../../player/pair";
import { TypingSession } from "../../../terminal/session";
import { AnswerForm } from "../../AnswerForm";
import { Draft } from "../../draft";
import type { Option } from "../../options";
import { Steps } from "../../Steps";
import { useAskingBeforeLeaving } from "../../useAskingBeforeLeaving";
import type { TrialPageProps } from "../kind";
import { accountOf, type Typed } from "./account";
import { Before, Busy, Taken, Void } from "./Between";
import { Running } from "./Running";
import styles from "./TypingTrial.module.css";

const BUSY_AGAIN_MS = 5_000;
/** The server has nobody to lend a terminal just now, and may in a moment. */
const BUSY: readonly string[] = ["no-host", "busy", "unavailable"];

type At =
  | { readonly at: "before" | "taken" | "busy" }
  | { readonly at: "running"; readonly session: TypingSession }
  | { readonly at: "void"; readonly reason: StageReason };

type TypingTrialProps = Pick<
  TrialPageProps<"typed">,
  "trial" | "participant_token" | "onVote" | "onAskAgain"
>;

export default function TypingTrial({
  trial,
  participant_token,
  onVote,
  onAskAgain,
}: TypingTrialProps) {
  const say = useSay();
  const { position, trials_total: total, training } = trial;
  const typing = useTyping(trial, participant_token, onAskAgain);
  const { at, member } = typing;
  return (
    <Sheet
      wide={at.at === "running"}
      className={at.at === "running" ? styles.running : undefined}
      title={say("trial.title", { position, total })}
      above={<Steps position={position} total={total} />}
    >
      <Way member={member} />
      {training && (
        <p>
          <Tag>{say("trial.training")}</Tag>
        </p>
      )}
      {member === null ? (
        <Voting trial={trial} typed={typing.typed} onVote={onVote} />
      ) : (
        <>
          {at.at === "before" && (
            <Before task={trial.task} member={member} onBegin={typing.begin} />
          )}
          {at.at === "running" && (
            <Running
              task={trial.task}
              session={at.session}
              onEnded={typing.ended}
              onVoid={typing.voided}
              onRefused={typing.refused}
            />
          )}
          {at.at === "void" && <Void reason={at.reason} onBegin={typing.begin} />}
          {at.at === "taken" && <Taken onBegin={typing.begin} />}
          {at.at === "busy" && <Busy />}
        </>
      )}
    </Sheet>
  );
}

function useTyping(trial: TypedTrial, participant_token: string, onAskAgain: () => void) {
  const [at, setAt] = useState<At>({ at: "before" });
  const [done, setDone] = useState<ReadonlySet<Side>>(new Set());
  const typed = useRef({ first: 0, second: 0 });
  const session = useRef<TypingSession | null>(null);
  const leave = () => {
    session.current?.dispose();
    session.current = null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the trial is left
  useEffect(() => leave, []);

  const isDone = (one: Side) => done.has(one) || trial[one].done;
  const member = (["first", "second"] as const).find((one) => !isDone(one)) ?? null;

  const begin = () => {
    if (!member) return;
    leave();
    const { session_token } = trial[member];
    session.current = new TypingSession({ participant_token, session_token });
    setAt({ at: "running", session: session.current });
  };
  useEffect(() => {
    if (at.at !== "busy") return;
    const timer = setTimeout(begin, BUSY_AGAIN_MS);
    return () => clearTimeout(timer);
  });
  // Ctrl-W searches in the one editor, and closes the page in a browser.
  useAskingBeforeLeaving(at.at === "running");

  const over = (next: At) => {
    leave();
    setAt(next);
  };
  return {
    at,
    member,
    typed: typed.current,
    begin,
    ended: () => {
      if (!member) return;
      typed.current[member] += 1;
      setDone(new Set([...done, member]));
      over({ at: "before" });
    },
    voided: (reason: StageReason) => {
      if (reason === "taken-over") {
        over({ at: "taken" });
        return;
      }
      // What counts yet the server knows: the first, too, may have to be typed anew.
      setDone(new Set());
      over({ at: "void", reason });
      onAskAgain();
    },
    refused: (code: RefusalCode) => {
      if (code === "taken-over") return over({ at: "taken" });
      if (BUSY.includes(code)) return over({ at: "busy" });
      // The first may have ended too long ago to be compared with: the server says what is left.
      setDone(new Set());
      over(code === "link-lost" ? { at: "void", reason: "link-away" } : { at: "before" });
      onAskAgain();
    },
  };
}

/** First, second, answer: where one is. */
function Way({ member }: { readonly member: Side | null }) {
  const say = useSay();
  const places = ["first", "second", "answer"] as const;
  const now = places.indexOf(member ?? "answer");
  return (
    <Pills as="ol" className={clsx(styles.way, look.small)}>
      {places.map((place, index) => (
        <li
          key={place}
          className={index < now ? styles.passed : undefined}
          aria-current={index === now ? "step" : undefined}
        >
          {say(`typing.${place}`)}
        </li>
      ))}
    </Pills>
  );
}

interface VotingProps {
  readonly trial: TypedTrial;
  readonly typed: Typed;
  readonly onVote: (vote: VoteCast) => void;
}

function Voting({ trial, typed, onVote }: VotingProps) {
  const [since_ms] = useState(() => performance.now());
  const draft = useMemo(() => new Draft("trial", trial.trial_token), [trial.trial_token]);
  const cast = (answer: Option["answer"]) => {
    draft.sent();
    onVote({
      ...answer,
      trial_token: trial.trial_token,
      vote_key: crypto.randomUUID(),
      ...accountOf(typed, Math.round(performance.now() - since_ms)),
    });
  };
  return (
    <AnswerForm
      trial={trial}
      open
      keys={false}
      before={draft.read().chosen}
      onChoose={(chosen) => draft.write({ chosen })}
      onCast={cast}
    />
  );
}
