// How the room voted, once nobody can be swayed by it any more.
// SPDX-License-Identifier: Apache-2.0

import type { PollState } from "../../api/generated";
import look from "../../design/look.module.css";
import { Progress } from "../../design/Progress";
import { counted } from "../../staff/format";
import styles from "./Votes.module.css";
import { lettered } from "./wording";

interface VotesProps {
  readonly poll: PollState;
  /** Whether whoever sees this may know what each letter stood for. */
  readonly told: boolean;
}

export function Votes({ poll, told }: VotesProps) {
  const share = (votes: number) => (poll.votes > 0 ? votes / poll.votes : 0);
  const rows = [
    ...poll.choices.map(
      ({ letter, name, votes }) => [told ? lettered(letter, name) : letter, votes] as const,
    ),
    ["No difference", poll.no_difference] as const,
  ];
  return (
    <div className={styles.votes} data-testid="votes">
      <p>
        <strong>{poll.question}</strong>
      </p>
      <p className={look.note} role="status">
        {counted(poll.votes, "vote")} {poll.open ? "so far" : ""}
      </p>
      {/* How the votes stand would sway whoever has not voted and sees this screen. */}
      {!poll.open && (
        <dl>
          {rows.map(([name, votes]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Progress
                  className={styles.bar}
                  label={`${name}: ${counted(votes, "vote")}`}
                  share={share(votes)}
                />
                <span aria-hidden="true">{counted(votes, "vote")}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
