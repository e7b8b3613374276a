// One trial that is heard: its recordings, the player, the answer.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useState } from "react";
import { Problem } from "../../../api/client";
import type { HeardTrial, VoteCast } from "../../../api/generated";
import { Beside } from "../../../design/Beside";
import { Card } from "../../../design/Card";
import { Notice } from "../../../design/Notice";
import { Progress } from "../../../design/Progress";
import { Sheet } from "../../../design/Sheet";
import { Tag } from "../../../design/Tag";
import { useSay } from "../../../language/Speaking";
import { FreePlayer } from "../../../player/FreePlayer";
import { FreeInstrument } from "../../../player/free";
import { InTurnPlayer } from "../../../player/InTurnPlayer";
import { InTurnInstrument } from "../../../player/inTurn";
import type { AnyInstrument, Past } from "../../../player/keys";
import { decode, type Output, output } from "../../../player/output";
import { eachOf, type Members } from "../../../player/pair";
import { Draft } from "../../draft";
import { applyLevel, readLevel } from "../../level";
import { type Option, optionsOf } from "../../options";
import { Steps } from "../../Steps";
import type { TrialPageProps } from "../kind";
import { Answer } from "./Answer";
import { accountOf } from "./account";
import { keepHeard, readHeard } from "./draft";
import styles from "./ListeningTrial.module.css";
import { namesOf } from "./names";
import { RatedPage } from "./RatedPage";
import { KeyHelp, useTrialKeys } from "./TrialKeys";

type TrialProps = Pick<TrialPageProps<"heard">, "trial" | "files" | "onVote" | "onGone">;

export function ListeningTrial({ trial, files, onVote, onGone }: TrialProps) {
  const say = useSay();
  const { position, trials_total: total, training } = trial;
  const draft = useMemo(() => new Draft("trial", trial.trial_token), [trial.trial_token]);
  const sounds = useSounds(trial, { files, draft, onGone });
  return (
    <Sheet
      className={styles.trial}
      title={say("trial.title", { position, total })}
      above={<Steps position={position} total={total} />}
    >
      {training && (
        <p>
          <Tag>{say("trial.training")}</Tag>
        </p>
      )}
      {sounds.at === "loading" && (
        <Beside className={styles.hearing}>
          <Card as="div">
            <p role="status">{say("trial.loading")}</p>
            <Progress label={say("trial.loaded")} share={sounds.share} />
          </Card>
        </Beside>
      )}
      {sounds.at === "broken" && (
        <Notice tone="bad" title={say("trial.broken.title")}>
          <p>{say("trial.broken.text")}</p>
        </Notice>
      )}
      {sounds.at === "ready" && trial.scale.kind === "mushra" && (
        <RatedPage trial={trial} instrument={sounds.instrument} draft={draft} onVote={onVote} />
      )}
      {sounds.at === "ready" && trial.scale.kind !== "mushra" && (
        <Listening trial={trial} instrument={sounds.instrument} draft={draft} onVote={onVote} />
      )}
    </Sheet>
  );
}

interface ListeningProps {
  readonly trial: HeardTrial;
  readonly instrument: AnyInstrument;
  readonly draft: Draft<"trial">;
  readonly onVote: (vote: VoteCast) => void;
}

function Listening({ trial, instrument, draft, onVote }: ListeningProps) {
  const say = useSay();
  const [keys, setKeys] = useTrialKeys(instrument);
  const names = namesOf(trial);
  const cast = (answer: Option["answer"]) => {
    instrument.stop();
    draft.sent();
    const { trial_token } = trial;
    onVote({ ...accountOf(instrument), ...answer, trial_token, vote_key: crypto.randomUUID() });
  };
  return (
    <>
      <p>{say(`trial.how.${howOf(trial)}`)}</p>
      <Beside className={styles.hearing}>
        <Card as="div">
          {instrument.kind === "free" ? (
            <FreePlayer instrument={instrument} names={names} />
          ) : (
            <InTurnPlayer instrument={instrument} names={names} />
          )}
        </Card>
        <Answer trial={trial} instrument={instrument} draft={draft} onCast={cast} />
      </Beside>
      <KeyHelp
        instrument={instrument}
        answers={optionsOf(trial, say).map(({ key }) => key)}
        on={keys}
        onChange={setKeys}
      />
    </>
  );
}

/** What the page says of how the trial is heard. */
function howOf({ second, scale, playback }: HeardTrial) {
  if (!second) return "one";
  if (scale.kind === "dcr") return "reference";
  return scale.kind === "abx" ? (`x.${playback}` as const) : playback;
}

type Sounds =
  | { readonly at: "loading"; readonly share: number }
  | { readonly at: "ready"; readonly instrument: AnyInstrument }
  | { readonly at: "broken" };

/** All members are decoded at once and in the same way, whichever was here first. */
const decoded = (files: Members<ArrayBuffer>): Promise<Members<AudioBuffer>> =>
  eachOf(files, (file) => decode(file.slice(0)));

/** Made to go on with what was heard of this trial before the page was loaded again. */
function instrumentFor(trial: HeardTrial, buffers: Members<AudioBuffer>, past?: Past) {
  const to: Output = output();
  if (trial.playback === "free") {
    return new FreeInstrument(to, buffers, {
      past: past?.kind === "free" ? past : undefined,
      must: trial.must_hear_share,
    });
  }
  return new InTurnInstrument(to, buffers, past?.kind === "in_turn" ? past : undefined);
}

interface SoundsProps extends Pick<TrialProps, "files" | "onGone"> {
  readonly draft: Draft<"trial">;
}

function useSounds(trial: HeardTrial, { files, draft, onGone }: SoundsProps): Sounds {
  const [sounds, setSounds] = useState<Sounds>({ at: "loading", share: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a trial is fetched once; its token says which
  useEffect(() => {
    let left = false;
    let letGo = () => {};
    const progress = (share: number) => !left && setSounds({ at: "loading", share });
    const make = async () => {
      const buffers = await decoded(await files(trial, progress));
      if (left) return;
      applyLevel(readLevel());
      const instrument = instrumentFor(trial, buffers, readHeard(draft));
      const keep = keepHeard(instrument, draft);
      letGo = () => {
        keep();
        instrument.dispose();
      };
      setSounds({ at: "ready", instrument });
    };
    make().catch((error: unknown) => {
      if (left) return;
      if (error instanceof Problem) onGone();
      else setSounds({ at: "broken" });
    });
    return () => {
      left = true;
      letGo();
    };
  }, [trial.trial_token]);
  return sounds;
}
