// What the letters stood for, once the room that voted without knowing may know.
// SPDX-License-Identifier: Apache-2.0

import type { AudienceLane } from "../../api/generated";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { useLanguage, useSay } from "../../language/Speaking";
import laneColour from "../laneColour.module.css";
import { plainly } from "./plainly";
import styles from "./Revealed.module.css";

export function Revealed({ lanes }: { readonly lanes: readonly AudienceLane[] }) {
  const say = useSay();
  const language = useLanguage();
  const known = lanes.flatMap(({ letter, revealed }) =>
    revealed ? [{ letter, lane: revealed, name: revealed.name }] : [],
  );
  if (known.length === 0) return null;
  return (
    <Card className={styles.revealed} data-testid="revealed" aria-labelledby="revealed">
      <h2 id="revealed">{say("audience.reveal.heading")}</h2>
      <dl>
        {known.map(({ letter, lane, name }) => (
          <div key={letter} className={laneColour[letter]}>
            <dt>{letter}</dt>
            <dd>
              <span lang="en">{name}</span> {plainly(lane, language)}{" "}
              <span className={look.note} lang="en">
                {lane.sender}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
