// What the letters stood for, once the room that voted without knowing may know.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceLane } from "../../api/generated";
import { useSay } from "../../language/Speaking";

export function Revealed({ lanes }: { readonly lanes: readonly AudienceLane[] }) {
  const say = useSay();
  const known = lanes.flatMap(({ letter, revealed }) =>
    revealed ? [{ letter, ...revealed }] : [],
  );
  if (known.length === 0) return null;
  return (
    <section className="card revealed" aria-labelledby="revealed">
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
