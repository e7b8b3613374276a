// One trial that is heard: its recordings, the player, the answer.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { Problem } from "../api/client";
import type { HeardTrial, VoteCast } from "../api/generated";
import { Bar, Notice, Sheet } from "../design/elements";
import { useSay } from "../language/Speaking";
import { FreePlayer } from "../player/FreePlayer";
import { FreeInstrument } from "../player/free";
import { InTurnPlayer } from "../player/InTurnPlayer";
import { InTurnInstrument } from "../player/inTurn";
import type { AnyInstrument } from "../player/keys";
import { decode, output } from "../player/output";
import type { Members } from "../player/pair";
import { Answer } from "./Answer";
import type { Flow } from "./flow";
import { applyLevel, readLevel } from "./level";
import { type Option, optionsOf } from "./options";
import { Steps } from "./Steps";
import { KeyHelp, useTrialKeys } from "./TrialKeys";

interface TrialProps {
  readonly trial: HeardTrial;
  readonly files: Flow["files"];
  readonly onVote: (vote: VoteCast) => void;
  /** The server no longer gives this trial's recordings. */
  readonly onGone: () => void;
}

export function Trial({ trial, files, onVote, onGone }: TrialProps) {
  const say = useSay();
  const { position, trials_total: total, training } = trial;
  const sounds = useSounds(trial, files, onGone);
  return (
    <Sheet
      title={say("trial.title", { position, total })}
      above={<Steps position={position} total={total} />}
    >
      {training && <p className="badge small">{say("trial.training")}</p>}
      {sounds.at === "loading" && (
        <div className="card">
          <p role="status">{say("trial.loading")}</p>
          <Bar label={say("trial.loaded")} share={sounds.share} />
        </div>
      )}
      {sounds.at === "broken" && (
        <Notice tone="bad" title={say("trial.broken.title")}>
          <p>{say("trial.broken.text")}</p>
        </Notice>
      )}
      {sounds.at === "ready" && (
        <Listening trial={trial} instrument={sounds.instrument} onVote={onVote} />
      )}
    </Sheet>
  );
}

interface ListeningProps {
  readonly trial: HeardTrial;
  readonly instrument: AnyInstrument;
  readonly onVote: (vote: VoteCast) => void;
}

function Listening({ trial, instrument, onVote }: ListeningProps) {
  const say = useSay();
  const [keys, setKeys] = useTrialKeys(instrument);
  const how = trial.second ? trial.playback : "one";
  const cast = (answer: Option["answer"]) => {
    instrument.stop();
    const { trial_token } = trial;
    onVote({ ...instrument.account(), ...answer, trial_token, vote_key: crypto.randomUUID() });
  };
  return (
    <>
      <p>{say(`trial.how.${how}`)}</p>
      <div className="card">
        {instrument.kind === "free" ? (
          <FreePlayer instrument={instrument} />
        ) : (
          <InTurnPlayer instrument={instrument} />
        )}
      </div>
      <Answer trial={trial} instrument={instrument} onCast={cast} />
      <KeyHelp
        instrument={instrument}
        answers={optionsOf(trial, say).map(({ key }) => key)}
        on={keys}
        onChange={setKeys}
      />
    </>
  );
}

type Sounds =
  | { readonly at: "loading"; readonly share: number }
  | { readonly at: "ready"; readonly instrument: AnyInstrument }
  | { readonly at: "broken" };

/** Both members are decoded at once and in the same way, whichever was here first. */
async function decoded({ first, second }: Members<ArrayBuffer>): Promise<Members<AudioBuffer>> {
  const [one, other] = await Promise.all([
    decode(first.slice(0)),
    second && decode(second.slice(0)),
  ]);
  return other ? { first: one, second: other } : { first: one };
}

function useSounds(trial: HeardTrial, files: Flow["files"], onGone: () => void): Sounds {
  const [sounds, setSounds] = useState<Sounds>({ at: "loading", share: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a trial is fetched once; its token says which
  useEffect(() => {
    let left = false;
    let instrument: AnyInstrument | null = null;
    const progress = (share: number) => !left && setSounds({ at: "loading", share });
    const make = async () => {
      const buffers = await decoded(await files(trial, progress));
      if (left) return;
      applyLevel(readLevel());
      instrument =
        trial.playback === "free"
          ? new FreeInstrument(output(), buffers)
          : new InTurnInstrument(output(), buffers);
      setSounds({ at: "ready", instrument });
    };
    make().catch((error: unknown) => {
      if (left) return;
      if (error instanceof Problem) onGone();
      else setSounds({ at: "broken" });
    });
    return () => {
      left = true;
      instrument?.dispose();
    };
  }, [trial.trial_token]);
  return sounds;
}
