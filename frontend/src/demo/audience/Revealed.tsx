// What the letters stand for, once the room may know.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceLane, AudiencePoll } from "../../api/generated";
import { useSay } from "../../language/Speaking";

interface RevealedProps {
  readonly lanes: readonly AudienceLane[];
  /** The one that was voted in without knowing. */
  readonly poll: AudiencePoll | null;
}

export function Revealed({ lanes, poll }: RevealedProps) {
  const say = useSay();
  const known = lanes.flatMap(({ letter, revealed }) =>
    revealed ? [{ letter, ...revealed }] : [],
  );
  if (known.length === 0) return null;
  return (
    <section className={poll ? "card revealed" : "revealed"} aria-labelledby="revealed">
      <h2 id="revealed">{say("audience.reveal.heading")}</h2>
      <dl>
        {known.map(({ letter, name }) => (
          <div key={letter} className={`lane-${letter}`}>
            <dt>{letter}</dt>
            <dd lang="en">{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
