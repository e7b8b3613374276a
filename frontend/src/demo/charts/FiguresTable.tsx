// Figures of all lanes as a table. It changes once a second, in place, and says
// nothing by itself, so that a screen reader can read it in peace.
// SPDX-License-Identifier: Apache-2.0

import { useSyncExternalStore } from "react";
import type { LaneFigures } from "../../api/generated";
import { Table } from "../../design/Table";
import type { Lane } from "../feed/lane";
import styles from "./FiguresTable.module.css";
import type { Cell, Row } from "./figures";
import { keptLanes, titleOf } from "./lanes";
import type { ChartProps } from "./usePainting";

interface FiguresTableProps<Source> {
  readonly chart: Pick<ChartProps, "view" | "lanes">;
  readonly rows: readonly Row<Source>[];
  readonly caption: string;
}

interface Column<Source> {
  /** "": the only one of its lane. */
  readonly name: string;
  readonly of: (lane: Lane) => Source | null;
}

/** What the agent computed of each lane: of the whole take, and of its last minute. */
const COMPUTED: readonly Column<LaneFigures>[] = [
  { name: "Whole take", of: ({ figures }) => figures?.whole ?? null },
  { name: "Last minute", of: ({ figures }) => figures?.last_minute ?? null },
];

export const LaneFiguresTable = (props: FiguresTableProps<LaneFigures>) => (
  <FiguresTable {...props} columns={COMPUTED} />
);

interface StateTableProps<Source> extends FiguresTableProps<Source> {
  readonly of: Column<Source>["of"];
}

/** One column a lane. */
export const StateTable = <Source,>({ of, ...props }: StateTableProps<Source>) => (
  <FiguresTable {...props} columns={[{ name: "", of }]} />
);

function FiguresTable<Source>({
  chart: { view, lanes },
  rows,
  caption,
  columns,
}: FiguresTableProps<Source> & { readonly columns: readonly Column<Source>[] }) {
  const { store } = view.feed;
  useSyncExternalStore(store.subscribe, store.figuresVersion);
  const shown = keptLanes(lanes, store);
  const several = columns.length > 1;
  const cells = shown.flatMap(([{ letter }, lane]) =>
    columns.map(({ name, of }) => ({ key: `${letter} ${name}`, name, source: of(lane) })),
  );
  return (
    <Table label={caption} aria-live="off" className={styles.figures}>
      <thead>
        <tr>
          <td />
          {shown.map(([lane]) => (
            <th
              key={lane.letter}
              {...(several ? { scope: "colgroup", colSpan: columns.length } : { scope: "col" })}
            >
              {titleOf(lane)}
            </th>
          ))}
        </tr>
        {several && (
          <tr>
            <td />
            {cells.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        )}
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {cells.map(({ key, source }) => (
              <Figure key={key} cell={source && row.of(source)} />
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Figure({ cell }: { readonly cell: Cell | null }) {
  if (cell === null || cell.value === null) return <td className={styles.number}>–</td>;
  return (
    <td className={styles.number}>
      <data value={cell.value}>{cell.text}</data>
    </td>
  );
}
