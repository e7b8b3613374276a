// Every key of a session in figures: what the strip draws, for who reads.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import type { KeyPassage } from "../../api/generated";
import { LOSSES, lossesOf } from "../../charts/stages";
import { Button } from "../../design/elements";
import { seconds } from "./Controls";
import { milliseconds } from "./wording";

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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
        <section className="table tall" aria-label="Table of keys" tabIndex={0}>
          <table className="sessions-table">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Pressed</th>
                <th scope="col">Kind</th>
                <th scope="col" className="number">
                  To the glyph
                </th>
                <th scope="col" className="number">
                  Key’s way
                </th>
                <th scope="col" className="number">
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
                    {key.repeat && <span className="soft"> (held)</span>}
                  </td>
                  <td className="number">{milliseconds(ms(0, key.painted_us))}</td>
                  <td className="number">
                    {milliseconds(ms(key.key_written_us, key.key_delivered_us))}
                  </td>
                  <td className="number">
                    {milliseconds(ms(key.echo_written_us, key.echo_delivered_us))}
                  </td>
                  <td>
                    {lossesOf(key)
                      .map(({ of, by }) => `${of}: ${LOSSES[by]}`)
                      .join("; ") || <span className="soft">–</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

const ms = (from_us: number | null, to_us: number | null): number | null =>
  from_us === null || to_us === null ? null : (to_us - from_us) / 1000;
