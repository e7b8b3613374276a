// One trial: both members side by side, from condition to votes.
// SPDX-License-Identifier: Apache-2.0
import type { RecordingOverview, TrialOverview } from "../api/generated";
import { Bar, Notice } from "../design/elements";
import { Comparison } from "./Comparison";
import { words } from "./format";
import { Latencies } from "./Latencies";
import { Votes } from "./Votes";

export function TrialCard({ trial }: { readonly trial: TrialOverview }) {
  const heading = `trial-${trial.id}`;
  const control = trial.kind === "control";
  return (
    <section className="card trial" aria-labelledby={heading}>
      <div className="row spread">
        <h3 id={heading}>
          {trial.id} <span className="soft">· {trial.clip_title}</span>
        </h3>
        <span className="tag">{control ? "Control" : "Pair"}</span>
      </div>
      {control && (
        <p className="small soft">
          One recording, presented as both members: whoever prefers one of them shows a bias.
        </p>
      )}
      <Votes trial={trial} />
      <Status recordings={trial.recordings} />
      <Latencies recordings={trial.recordings} />
      <Comparison trial={trial.id} recordings={trial.recordings} />
      <Sounds recordings={trial.recordings} />
      <p className="small soft">{trial.clip_attribution}</p>
    </section>
  );
}

interface Recordings {
  readonly recordings: readonly RecordingOverview[];
}

/** What the researcher calls a member: the name of its condition. */
export const nameOf = (recording: RecordingOverview): string => words(recording.condition.name);

function Status({ recordings }: Recordings) {
  const unready = recordings.filter((recording) => recording.status !== "ready");
  return unready.map((recording) => (
    <div key={recording.condition.name} className="field">
      {recording.status === "failed" ? (
        <Notice tone="bad" title={`The recording “${nameOf(recording)}” failed`}>
          {recording.problem && <p>{recording.problem}</p>}
        </Notice>
      ) : (
        <>
          <span className="small soft">
            The recording “{nameOf(recording)}”{" "}
            {recording.status === "making" ? "is being made" : "has not been made yet"}
          </span>
          <Bar label={`Recording ${nameOf(recording)}`} share={recording.progress_share} />
        </>
      )}
    </div>
  ));
}

function Sounds({ recordings }: Recordings) {
  const ready = recordings.filter((recording) => recording.id !== null);
  if (ready.length === 0) return null;
  return (
    <div className="columns">
      {ready.map((recording) => {
        const at = `/api/researcher/recordings/${recording.id}`;
        const name = nameOf(recording);
        return (
          <div key={recording.condition.name} className="field">
            <span className="label">Listen: {name}</span>
            {/* biome-ignore lint/a11y/useMediaCaption: a recording under test; its text is not what it is for */}
            <audio controls preload="none" src={`${at}/audio`} aria-label={`Recording ${name}`} />
            <span className="small">
              Captures:{" "}
              <a href={`${at}/captures/sender.pcapng`} download>
                sender<span className="visually-hidden"> of {name}</span>
              </a>
              {", "}
              <a href={`${at}/captures/receiver.pcapng`} download>
                receiver<span className="visually-hidden"> of {name}</span>
              </a>{" "}
              (pcapng)
            </span>
          </div>
        );
      })}
    </div>
  );
}
