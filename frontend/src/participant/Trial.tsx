// One trial: fetch both recordings, hear them, answer.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { Problem } from "../api/client";
import type { OpenTrial, VoteCast } from "../api/generated";
import { Bar, Notice, Sheet } from "../design/elements";
import { Instrument } from "../player/instrument";
import { output } from "../player/output";
import { Player, useView } from "../player/Player";
import { Answer } from "./Answer";
import { applyLevel, readLevel } from "./level";
import { fetchPair } from "./recordings";
import { KeyHelp, useTrialKeys } from "./TrialKeys";

interface TrialProps {
  readonly trial: OpenTrial;
  readonly participant_token: string;
  readonly onVote: (vote: VoteCast) => void;
  /** The server no longer gives this trial's recordings. */
  readonly onGone: () => void;
}

export function Trial({ trial, participant_token, onVote, onGone }: TrialProps) {
  const { position, trials_total } = trial;
  const sounds = useSounds(trial, participant_token, onGone);
  return (
    <Sheet
      title={`Trial ${position} of ${trials_total}`}
      above={<Steps position={position} total={trials_total} />}
    >
      {sounds.at === "loading" && <Fetching share={sounds.share} />}
      {sounds.at === "broken" && (
        <Notice tone="bad" title="The recordings could not be opened">
          <p>Please load this page again. If it stays like this, tell whoever invited you.</p>
        </Notice>
      )}
      {sounds.at === "ready" && (
        <Listening trial={trial} instrument={sounds.instrument} onVote={onVote} />
      )}
    </Sheet>
  );
}

interface ListeningProps {
  readonly trial: OpenTrial;
  readonly instrument: Instrument;
  readonly onVote: (vote: VoteCast) => void;
}

function Listening({ trial, instrument, onVote }: ListeningProps) {
  const view = useView(instrument);
  const [keys, setKeys] = useTrialKeys(instrument);
  const cast = (choice: VoteCast["choice"]) => {
    instrument.pause();
    onVote({
      ...instrument.account(),
      trial_token: trial.trial_token,
      vote_key: crypto.randomUUID(),
      choice,
    });
  };
  return (
    <>
      <p>
        You will hear two recordings of the same passage. Listen as long as you like, and change
        between them at any moment: the other one goes on where you are.
      </p>
      <div className="card">
        <Player instrument={instrument} />
      </div>
      <Answer trial={trial} view={view} duration_s={instrument.duration_s} onCast={cast} />
      <KeyHelp on={keys} onChange={setKeys} />
    </>
  );
}

function Fetching({ share }: { readonly share: number }) {
  return (
    <div className="card">
      <p role="status">The two recordings are being loaded.</p>
      <Bar label="Recordings loaded" share={share} />
    </div>
  );
}

function Steps({ position, total }: { readonly position: number; readonly total: number }) {
  const steps = Array.from({ length: total }, (_, index) => index + 1);
  return (
    <div className="steps" aria-hidden="true">
      {steps.map((step) => (
        <span key={step} className={step < position ? "done" : step === position ? "now" : ""} />
      ))}
    </div>
  );
}

type Sounds =
  | { readonly at: "loading"; readonly share: number }
  | { readonly at: "ready"; readonly instrument: Instrument }
  | { readonly at: "broken" };

function useSounds(trial: OpenTrial, participant_token: string, onGone: () => void): Sounds {
  const [sounds, setSounds] = useState<Sounds>({ at: "loading", share: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a trial is fetched once; its token says which
  useEffect(() => {
    const leaving = new AbortController();
    let instrument: Instrument | null = null;
    const progress = (share: number) => setSounds({ at: "loading", share });
    fetchPair(trial, participant_token, progress, leaving.signal).then(
      (buffers) => {
        if (leaving.signal.aborted) return;
        applyLevel(readLevel());
        instrument = new Instrument(output(), buffers);
        setSounds({ at: "ready", instrument });
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (error instanceof Problem) onGone();
        else setSounds({ at: "broken" });
      },
    );
    return () => {
      leaving.abort();
      instrument?.dispose();
    };
  }, [trial.trial_token, participant_token]);
  return sounds;
}
