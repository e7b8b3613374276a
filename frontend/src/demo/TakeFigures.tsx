// What a take measured, lane beside lane.
// SPDX-License-Identifier: Apache-2.0
import type { DemoLaneResult, DemoResult, DemoSettings } from "../api/generated";
import { duration, milliseconds, percent } from "../researcher/format";
import { laneInWords } from "./console/wording";

interface TakeFiguresProps {
  readonly result: DemoResult;
  readonly settings: DemoSettings;
}

type Row = readonly [name: string, of: (lane: DemoLaneResult) => string | null];

const delay = (name: string, which: "p50_us" | "p99_us" | "max_us"): Row => [
  name,
  ({ figures }) => {
    const found = figures?.metrics?.application.per_message[which];
    return found === undefined ? null : milliseconds(found);
  },
];

const ROWS: readonly Row[] = [
  delay("Delay of a message, median", "p50_us"),
  delay("99 % are below", "p99_us"),
  delay("the longest", "max_us"),
  [
    "Messages later than 150 ms",
    ({ figures }) => {
      const share = figures?.felt?.share_later_than_150_ms;
      return share === undefined ? null : percent(share);
    },
  ],
  [
    "Packets lost on the way there",
    ({ figures }) => {
      const share = figures?.metrics?.loss_share_forward;
      return share === undefined ? null : percent(share);
    },
  ],
  [
    "Payload sent again",
    ({ figures }) => {
      const share = figures?.metrics?.redundancy_share;
      return share === undefined ? null : percent(share);
    },
  ],
  ["Gaps in the sound", ({ playout }) => (playout ? String(playout.gaps) : null)],
  ["Sound made up or silent", ({ playout }) => (playout ? duration(playout.concealed_ms) : null)],
];

export function TakeFigures({ result, settings }: TakeFiguresProps) {
  const { lanes } = result;
  const rows = ROWS.map(([name, of]) => [name, lanes.map(of)] as const).filter(([, values]) =>
    values.some((value) => value !== null),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
    <section className="table" aria-label="Figures of the take" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From its first packet to its last</th>
            {lanes.map((_, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place
              <th scope="col" key={place}>
                Lane {place + 1}
                <br />
                <span className="soft small">
                  {settings.lanes[place] && laneInWords(settings.lanes[place])}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place
                <td key={place}>{value ?? "–"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
