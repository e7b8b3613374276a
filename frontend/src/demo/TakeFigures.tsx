// What a take measured, lane beside lane.
// SPDX-License-Identifier: Apache-2.0

import type { DemoLaneResult, DemoResult, DemoTakeRecord } from "../api/generated";
import {
  demoLaneResultTerms,
  feltMetricsTerms,
  latencyDistributionTerms,
  playoutFactsTerms,
  traceMetricsTerms,
} from "../api/generatedTerms";
import look from "../design/look.module.css";
import { Table } from "../design/Table";
import { duration, milliseconds, percent } from "../staff/format";
import { lanesOf } from "./takes";

interface TakeFiguresProps {
  readonly result: DemoResult;
  readonly take: DemoTakeRecord;
}

type Measured = Pick<DemoLaneResult, "figures" | "playout" | "changed_bytes">;
type Row = readonly [name: string, of: (lane: Measured) => string | null];

const delay = (which: "p50_us" | "p99_us" | "max_us"): Row => [
  `${traceMetricsTerms.application.title}, ${latencyDistributionTerms[which].title.toLowerCase()}`,
  ({ figures }) => {
    const found = figures?.metrics?.application.per_message[which];
    return found === undefined ? null : milliseconds(found);
  },
];

const ROWS: readonly Row[] = [
  delay("p50_us"),
  delay("p99_us"),
  delay("max_us"),
  [
    feltMetricsTerms.share_later_than_150_ms.title,
    ({ figures }) => {
      const share = figures?.felt?.share_later_than_150_ms;
      return share === undefined ? null : percent(share);
    },
  ],
  [
    traceMetricsTerms.loss_share_forward.title,
    ({ figures }) => {
      const share = figures?.metrics?.loss_share_forward;
      return share === undefined ? null : percent(share);
    },
  ],
  [
    traceMetricsTerms.redundancy_share.title,
    ({ figures }) => {
      const share = figures?.metrics?.redundancy_share;
      return share === undefined ? null : percent(share);
    },
  ],
  [playoutFactsTerms.gaps.title, ({ playout }) => (playout ? String(playout.gaps) : null)],
  [
    playoutFactsTerms.concealed_ms.title,
    ({ playout }) => (playout ? duration(playout.concealed_ms) : null),
  ],
  [
    playoutFactsTerms.damaged_ms.title,
    ({ playout }) => (playout?.damaged_ms ? duration(playout.damaged_ms) : null),
  ],
  [
    demoLaneResultTerms.changed_bytes.title,
    ({ changed_bytes }) => (changed_bytes ? String(changed_bytes) : null),
  ],
];

export function TakeFigures({ result, take }: TakeFiguresProps) {
  const columns = lanesOf(take).map(({ lane, letter }) => {
    return {
      title: `Lane ${letter}`,
      words: take.words.senders[lane] ?? "",
      result: result.lanes?.[lane] ?? null,
    };
  });
  return <FigureTable label={`Figures of take ${take.number}`} columns={columns} />;
}

export interface FigureColumn {
  readonly title: string;
  readonly words: string;
  /** Null: nothing is known. */
  readonly result: Measured | null;
}

interface FigureTableProps {
  readonly label: string;
  readonly columns: readonly FigureColumn[];
}

export function FigureTable({ label, columns }: FigureTableProps) {
  const rows = ROWS.map(([name, of]) => {
    const values = columns.map(({ title, result }) => ({ title, value: result && of(result) }));
    return { name, values };
  }).filter(({ values }) => values.some(({ value }) => value !== null));
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">From its first packet to its last</th>
          {columns.map(({ title, words }) => (
            <th scope="col" key={title}>
              {title}
              <br />
              <span className={look.note}>{words}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map(({ title, value }) => (
              <td key={title}>{value ?? "–"}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
