// The presenter's question, and this listener's vote. A vote counts when the
// server has stored it, and may be changed until the poll is closed.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { useId } from "react";
import type { AudienceLane, AudiencePoll } from "../../api/generated";
import { Card } from "../../design/Card";
import { Progress } from "../../design/Progress";
import { useSay } from "../../language/Speaking";
import { lettered } from "../console/wording";
import letters from "./letters.module.css";
import type { Choice } from "./link";
import styles from "./Poll.module.css";

interface PollProps {
  readonly poll: AudiencePoll;
  readonly lanes: readonly AudienceLane[];
  readonly voted: Choice | null;
  readonly voting: Choice | null;
  readonly onVote: (choice: Choice) => void;
}

const NONE = "no_difference";

export function Poll({ poll, lanes, voted, voting, onVote }: PollProps) {
  const say = useSay();
  const heading = useId();
  const choices: Choice[] = [...lanes.map(({ letter }) => letter), NONE];
  const label = (choice: Choice) => (choice === NONE ? say("audience.poll.none") : choice);
  const standing = () => {
    if (voting) return say("audience.poll.sending");
    if (!voted) return poll.open ? "" : say("audience.poll.missed");
    const told = { label: label(voted) };
    return poll.open ? say("audience.poll.thanks", told) : say("audience.poll.closed", told);
  };
  return (
    <Card className={letters.poll} data-testid="poll" aria-labelledby={heading}>
      <h2 id={heading}>{poll.question}</h2>
      {poll.open && (
        <div className={letters.letters}>
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              className={choice === NONE ? clsx(letters.letter, letters.none) : letters.letter}
              aria-pressed={(voting ?? voted) === choice}
              onClick={() => onVote(choice)}
            >
              <strong>{label(choice)}</strong>
            </button>
          ))}
        </div>
      )}
      <p role="status">{standing()}</p>
      {poll.result && <Result poll={poll} result={poll.result} />}
    </Card>
  );
}

interface ResultProps {
  readonly poll: AudiencePoll;
  readonly result: NonNullable<AudiencePoll["result"]>;
}

function Result({ poll, result }: ResultProps) {
  const say = useSay();
  const share = (votes: number) => (poll.votes > 0 ? votes / poll.votes : 0);
  const rows = [
    // The server names nothing before the room may know.
    ...result.choices.map(({ letter, name, votes }) => ({ letter, name, votes })),
    { letter: say("audience.poll.none"), name: null, votes: result.no_difference },
  ];
  return (
    <>
      <h3>{say("audience.poll.result")}</h3>
      <dl className={styles.result}>
        {rows.map(({ letter, name, votes }) => {
          const told = name === null ? letter : lettered(letter, name);
          return (
            <div key={letter}>
              <dt {...(name !== null && { lang: "en" })}>{told}</dt>
              <dd>
                <Progress className={styles.bar} label={`${told}: ${votes}`} share={share(votes)} />
                <span aria-hidden="true">{votes}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
