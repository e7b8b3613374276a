// The study's conditions side by side.
// SPDX-License-Identifier: Apache-2.0

import type { Direction, StudyDefinition } from "../../api/generated";
import { Card } from "../../design/Card";
import { Table } from "../../design/Table";
import { percent, words } from "../../staff/format";

export function Conditions({ conditions }: Pick<StudyDefinition, "conditions">) {
  return (
    <Card aria-labelledby="conditions">
      <h2 id="conditions">Conditions</h2>
      <Table label="Table of conditions">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Mode</th>
            <th scope="col">Baseline</th>
            <th scope="col">Round trip</th>
            <th scope="col">To the receiver</th>
            <th scope="col">Back</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(conditions).map(([name, { mode, baseline, path }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{words(mode)}</td>
              <td>{baseline ?? "newreno2008"}</td>
              <td>{path.rtt_ms} ms</td>
              <td>{directionOf(path.forward)}</td>
              <td>{directionOf(path.backward)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function directionOf(direction: Direction | undefined): string {
  if (!direction) return "no loss";
  const {
    loss_share,
    gilbert_elliott: bursts,
    jitter_ms,
    rate_kbit_per_s,
    corrupt_share,
  } = direction;
  const parts = [];
  if (bursts) parts.push("loss in bursts");
  else parts.push(loss_share ? `${percent(loss_share)} loss` : "no loss");
  if (jitter_ms) parts.push(`jitter ${jitter_ms} ms`);
  if (rate_kbit_per_s) parts.push(`${rate_kbit_per_s} kbit/s`);
  if (corrupt_share) parts.push(`${percent(corrupt_share)} damaged`);
  return parts.join(", ");
}
