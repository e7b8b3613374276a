// Where in the session people are and where they left it: one column a place.
// SPDX-License-Identifier: Apache-2.0
import type { Monitor, Position } from "../../api/generated";
import { counted } from "../format";

export function Positions({ monitor }: { readonly monitor: Monitor }) {
  const { positions, funnel } = monitor;
  const most = Math.max(1, funnel.started);
  const left = positions.reduce((sum, position) => sum + position.left, 0);
  return (
    <section className="card" aria-labelledby="positions">
      <h2 id="positions">Answers by position</h2>
      <p className="small soft">
        How many have answered each trial, in the order in which they met them.{" "}
        {left === 0
          ? "Nobody has left on the way."
          : `${counted(left, "session")} ended on the way.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys */}
      <section className="positions-plot" aria-label="Plot of answers by position" tabIndex={0}>
        <table>
          <caption className="visually-hidden">
            Answers, sessions here now and sessions left, by position
          </caption>
          <tbody className="visually-hidden">
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
        <ol className="positions" aria-hidden="true">
          {positions.map((position) => (
            <Column key={position.position} position={position} most={most} />
          ))}
        </ol>
      </section>
      <ul className="legend small" aria-hidden="true">
        <li className="answered">answered</li>
        <li className="here">are here now</li>
        <li className="left">left here</li>
      </ul>
    </section>
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
    <li className={position.training ? "training" : ""} title={nameOf(position)}>
      <span className="positions-number">{answered}</span>
      <span className="positions-column">
        <span className="left" style={height(left)} />
        <span className="here" style={height(here)} />
        <span className="answered" style={height(answered)} />
      </span>
      <span className="positions-name">{position.position}</span>
    </li>
  );
}
