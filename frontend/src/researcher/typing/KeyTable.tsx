// Every key of a session in figures: what the strip draws, for who reads.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { KeyPassage } from "../../api/generated";
import { LOSSES, lossesOf } from "../../charts/stages";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Table } from "../../design/Table";
import { delay } from "../../staff/format";
import { seconds } from "./Controls";
import sessionsTable from "./sessionsTable.module.css";

interface KeyTableProps {
  readonly keys: readonly KeyPassage[];
  readonly onSeek: (to_us: number) => void;
}

export function KeyTable({ keys, onSeek }: KeyTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Every key as a table</summary>
      {open && (
        <Table label="Table of keys" tall className={sessionsTable.table}>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Pressed</th>
              <th scope="col">Kind</th>
              <th scope="col" className={sessionsTable.number}>
                To the glyph
              </th>
              <th scope="col" className={sessionsTable.number}>
                Key’s way
              </th>
              <th scope="col" className={sessionsTable.number}>
                Echo’s way
              </th>
              <th scope="col">Lost</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.number}>
                <th scope="row">{key.number}</th>
                <td>
                  <Button
                    quiet
                    slim
                    aria-label={`To key ${key.number}, at ${seconds(key.pressed_us)}`}
                    onClick={() => onSeek(key.pressed_us)}
                  >
                    {seconds(key.pressed_us)}
                  </Button>
                </td>
                <td>
                  {key.kind}
                  {key.repeat && <span className={look.soft}> (held)</span>}
                </td>
                <td className={sessionsTable.number}>{delay(ms(0, key.painted_us))}</td>
                <td className={sessionsTable.number}>
                  {delay(ms(key.key_written_us, key.key_delivered_us))}
                </td>
                <td className={sessionsTable.number}>
                  {delay(ms(key.echo_written_us, key.echo_delivered_us))}
                </td>
                <td>
                  {lossesOf(key)
                    .map(({ of, by }) => `${of}: ${LOSSES[by]}`)
                    .join("; ") || <span className={look.soft}>–</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </details>
  );
}

const ms = (from_us: number | null, to_us: number | null): number | null =>
  from_us === null || to_us === null ? null : (to_us - from_us) / 1000;
