// The study's conditions side by side.
// SPDX-License-Identifier: Apache-2.0

import type { StudyOverview } from "../../api/generated";
import { Card } from "../../design/Card";
import { Table } from "../../design/Table";

export function Conditions({ conditions }: Pick<StudyOverview, "conditions">) {
  return (
    <Card aria-labelledby="conditions">
      <h2 id="conditions">Conditions</h2>
      <Table label="Table of conditions">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Mode</th>
            <th scope="col">Sender</th>
            <th scope="col">To the receiver</th>
            <th scope="col">Back</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(conditions).map(([name, { mode, sender, there, back }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{mode}</td>
              <td>{sender}</td>
              <td>{there}</td>
              <td>{back}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
