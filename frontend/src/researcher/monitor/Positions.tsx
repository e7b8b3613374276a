// Where in the session people are and where they left it: one column a place.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { Monitor, Position } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Scroll } from "../../design/Scroll";
import { counted } from "../../staff/format";
import swatches from "../swatches.module.css";
import styles from "./Positions.module.css";

export function Positions({ monitor }: { readonly monitor: Monitor }) {
  const { positions, funnel } = monitor;
  const most = Math.max(1, funnel.started);
  const left = positions.reduce((sum, position) => sum + position.left, 0);
  return (
    <TitledCard id="positions" title="Answers by position">
      <p className={look.note}>
        How many have answered each trial, in the order in which they met them.{" "}
        {left === 0
          ? "Nobody has left on the way."
          : `${counted(left, "session")} ended on the way.`}
      </p>
      <Scroll label="Plot of answers by position">
        <table>
          <caption className={look.spoken}>
            Answers, sessions here now and sessions left, by position
          </caption>
          <tbody className={look.spoken}>
            <tr>
              <th scope="col">Position</th>
              <th scope="col">Answered</th>
              <th scope="col">Here now</th>
              <th scope="col">Left here</th>
            </tr>
            {positions.map((position) => (
              <tr key={position.position}>
                <th scope="row">{nameOf(position)}</th>
                <td>{position.answered}</td>
                <td>{position.here}</td>
                <td>{position.left}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <ol className={styles.positions} aria-hidden="true">
          {positions.map((position) => (
            <Column key={position.position} position={position} most={most} />
          ))}
        </ol>
      </Scroll>
      <ul className={clsx(styles.legend, swatches.swatches, look.small)} aria-hidden="true">
        <li className={styles.answered}>answered</li>
        <li className={styles.here}>are here now</li>
        <li className={styles.left}>left here</li>
      </ul>
    </TitledCard>
  );
}

const nameOf = ({ position, block_id, training }: Position): string =>
  `${position}, ${block_id}${training ? " (training)" : ""}`;

interface ColumnProps {
  readonly position: Position;
  readonly most: number;
}

function Column({ position, most }: ColumnProps) {
  const { answered, here, left } = position;
  const height = (number: number) => ({ height: `${(100 * number) / most}%` });
  return (
    <li className={position.training ? styles.training : undefined} title={nameOf(position)}>
      <span>{answered}</span>
      <span className={styles.column}>
        <span className={styles.left} style={height(left)} />
        <span className={styles.here} style={height(here)} />
        <span className={styles.answered} style={height(answered)} />
      </span>
      <span className={styles.name}>{position.position}</span>
    </li>
  );
}
