// What people said about a trial, as a bar of three parts with its numbers.
// SPDX-License-Identifier: Apache-2.0
import type { TrialOverview } from "../api/generated";
import { words } from "./format";

export function Votes({ trial }: { readonly trial: TrialOverview }) {
  const [a, b] = trial.recordings;
  const pair = trial.kind === "pair";
  const parts = [
    { name: pair && a ? words(a.condition.name) : "first", votes: trial.votes.a, kind: "a" },
    { name: "no difference", votes: trial.votes.no_difference, kind: "none" },
    { name: pair && b ? words(b.condition.name) : "second", votes: trial.votes.b, kind: "b" },
  ];
  const total = parts.reduce((sum, part) => sum + part.votes, 0);
  if (total === 0) return <p className="small soft">No votes yet.</p>;
  return (
    <div className="votes">
      <div className="votes-bar" aria-hidden="true">
        {parts.map(({ kind, votes }) => (
          <span key={kind} className={kind} style={{ flexGrow: votes }} />
        ))}
      </div>
      <dl className="small">
        {parts.map(({ kind, name, votes }) => (
          <div key={kind} className={kind}>
            <dt>{name}</dt>
            <dd>
              {votes} <span className="soft">({Math.round((votes / total) * 100)} %)</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
