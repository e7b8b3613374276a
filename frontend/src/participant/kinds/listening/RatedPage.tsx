// Several sounds, each rated beside the reference that all are heard with (ITU-R BS.1534-3).
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type FormEvent, useState } from "react";
import type { HeardTrial, VoteCast } from "../../../api/generated";
import { Button } from "../../../design/Button";
import { Card } from "../../../design/Card";
import { Slider } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Progress } from "../../../design/Progress";
import { Row } from "../../../design/Row";
import { useSay } from "../../../language/Speaking";
import { FreePlayer, heardShare } from "../../../player/FreePlayer";
import type { FreeInstrument, FreeView } from "../../../player/free";
import type { AnyInstrument } from "../../../player/keys";
import { isHeard, needed_s } from "../../../player/listening";
import type { Member } from "../../../player/pair";
import { Icon, useView } from "../../../player/parts";
import type { Draft } from "../../draft";
import { accountOfRated } from "./account";
import { handlesOf } from "./files";
import styles from "./RatedPage.module.css";
import { KeyHelp, useTrialKeys } from "./TrialKeys";

const HIGHEST = 100;
const POINTS_A_FIFTH = 20;

interface RatedPageProps {
  readonly trial: HeardTrial;
  readonly instrument: AnyInstrument;
  readonly draft: Draft<"trial">;
  readonly onVote: (vote: VoteCast) => void;
}

export function RatedPage({ instrument, ...rest }: RatedPageProps) {
  // A study whose sounds are rated beside each other has them played freely.
  return instrument.kind === "free" ? <Rated instrument={instrument} {...rest} /> : null;
}

interface RatedProps extends RatedPageProps {
  readonly instrument: FreeInstrument;
}

function Rated({ trial, instrument, draft, onVote }: RatedProps) {
  const say = useSay();
  const view = useView(instrument);
  const [keys, setKeys] = useTrialKeys(instrument);
  const sounds = instrument.members.filter((member) => member !== "x");
  const [scores, setScores] = useState<readonly (number | null)[]>(
    draft.read().ratings ?? sounds.map(() => null),
  );
  const rate = (place: number, score: number) => {
    const next = scores.map((before, at) => (at === place ? score : before));
    setScores(next);
    draft.write({ ratings: next });
  };
  const given = scores.filter((score) => score !== null);
  const isWhole = view.mayVote && given.length === sounds.length;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    instrument.stop();
    draft.sent();
    const { trial_token } = trial;
    const told = accountOfRated(instrument, handlesOf(trial), given);
    onVote({ ...told, trial_token, vote_key: crypto.randomUUID() });
  };
  return (
    <>
      <p>{say("trial.how.rated")}</p>
      <Card as="div" className={styles.player}>
        <Hear member="x" name={say("player.reference")} view={view} instrument={instrument} />
        <FreePlayer instrument={instrument} />
      </Card>
      <Card as="form" className={styles.ratings} onSubmit={send}>
        <fieldset>
          <legend>{trial.scale.question}</legend>
          <ol aria-label={say("rated.sounds")}>
            {sounds.map((member, place) => (
              <li key={member} className={styles.sound} data-testid="sound">
                <Hear
                  member={member}
                  name={say("rated.sound", { number: place + 1 })}
                  view={view}
                  instrument={instrument}
                />
                <Score
                  trial={trial}
                  number={place + 1}
                  score={scores[place] ?? null}
                  onRate={(score) => rate(place, score)}
                />
              </li>
            ))}
          </ol>
        </fieldset>
        <Row spread>
          <div className={look.note}>
            <span role="status">{isWhole && say("gate.chosen")}</span>
            {!isWhole && <Gate instrument={instrument} view={view} rated={given.length} />}
          </div>
          <Button type="submit" disabled={!isWhole}>
            {say("answer.send")}
          </Button>
        </Row>
      </Card>
      <KeyHelp instrument={instrument} answers={[]} on={keys} onChange={setKeys} />
    </>
  );
}

interface HearProps {
  readonly member: Member;
  readonly name: string;
  readonly view: FreeView;
  readonly instrument: FreeInstrument;
}

/** All of one shape, the reference's too: what is heard goes on from the same instant. */
function Hear({ member, name, view, instrument }: HearProps) {
  const chosen = view.listening.member === member;
  const sounding = chosen && view.listening.playing;
  return (
    <button
      type="button"
      className={clsx(styles.hear, chosen && styles.chosen)}
      aria-pressed={chosen}
      aria-label={name}
      onClick={() => void instrument.press(member)}
    >
      <Icon name={sounding ? "sound" : "play"} />
      <span>{name}</span>
      <Progress className={styles.heard} share={heardShare(instrument, view, member)} />
    </button>
  );
}

interface ScoreProps {
  readonly trial: HeardTrial;
  readonly number: number;
  readonly score: number | null;
  readonly onRate: (score: number) => void;
}

function Score({ trial, number, score, onRate }: ScoreProps) {
  const say = useSay();
  const words = trial.scale.kind === "mushra" ? trial.scale.labels : [];
  const fifth = Math.min(HIGHEST / POINTS_A_FIFTH, Math.floor((score ?? 0) / POINTS_A_FIFTH) + 1);
  const word = words.find((one) => one.score === fifth)?.label ?? "";
  const said = score === null ? say("rated.none") : say("rated.value", { score, word });
  // Whoever means the value that is shown moves nothing: to touch it is enough.
  const touch = (element: EventTarget & HTMLInputElement) => onRate(Number(element.value));
  return (
    <div className={styles.score}>
      <Slider
        className={clsx(score === null && styles.open)}
        aria-label={say("rated.score", { number })}
        aria-valuetext={said}
        data-testid="score"
        min={0}
        max={HIGHEST}
        step={1}
        value={score ?? HIGHEST / 2}
        onSet={onRate}
        onPointerUp={({ currentTarget }) => touch(currentTarget)}
        onKeyUp={({ key, currentTarget }) => {
          if (/^(Arrow|Page|Home|End)/.test(key)) touch(currentTarget);
        }}
      />
      <output aria-hidden="true">{score ?? "–"}</output>
      <div className={clsx(styles.words, look.note)} aria-hidden="true">
        {words.toReversed().map((one) => (
          <span
            key={one.score}
            className={clsx(score !== null && one.score === fifth && styles.in)}
          >
            {one.label}
          </span>
        ))}
      </div>
    </div>
  );
}

interface GateProps extends Pick<HearProps, "instrument" | "view"> {
  readonly rated: number;
}

/** What is still to be done. No live region: it changes every second. */
function Gate({ instrument, view, rated }: GateProps) {
  const say = useSay();
  const { must, duration_s, members } = instrument;
  if (view.mayVote) return <span>{say("gate.rate", { rated, all: members.length - 1 })}</span>;
  const heard = members.filter((one) => isHeard(must, view.listening, duration_s, one)).length;
  const [needed, length] = [Math.ceil(needed_s(must, duration_s)), Math.ceil(duration_s)];
  return <span>{say("gate.rated", { needed, length, heard, all: members.length })}</span>;
}
