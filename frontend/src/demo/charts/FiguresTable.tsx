// Figures of all lanes as a table. It changes once a second, in place, and says
// nothing by itself, so that a screen reader can read it in peace.
// SPDX-License-Identifier: Apache-2.0

import { useSyncExternalStore } from "react";
import type { LaneFigures } from "../../api/generated";
import { Table } from "../../design/Table";
import type { Lane } from "../feed/lane";
import styles from "./FiguresTable.module.css";
import type { Cell, Row } from "./figures";
import { type DemoLane, keptLanes, titleOf } from "./lanes";
import type { ChartView } from "./view";

interface FiguresTableProps {
  readonly view: ChartView;
  readonly lanes: readonly DemoLane[];
  readonly caption: string;
}

function useFigures({ view, lanes }: FiguresTableProps): ReturnType<typeof keptLanes> {
  const { store } = view.feed;
  useSyncExternalStore(store.subscribe, store.figuresVersion);
  return keptLanes(lanes, store);
}

/** What the agent computed of each lane: of the whole take, and of its last minute. */
export function LaneFiguresTable(
  props: FiguresTableProps & { readonly rows: readonly Row<LaneFigures>[] },
) {
  const shown = useFigures(props);
  const { rows, caption } = props;
  return (
    <Table label={caption} aria-live="off" className={styles.figures}>
      <thead>
        <tr>
          <td />
          {shown.map(([lane]) => (
            <th key={lane.letter} scope="colgroup" colSpan={2}>
              {titleOf(lane)}
            </th>
          ))}
        </tr>
        <tr>
          <td />
          {shown.flatMap(([{ letter }]) => [
            <th key={`${letter} whole`} scope="col">
              Whole take
            </th>,
            <th key={`${letter} minute`} scope="col">
              Last minute
            </th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, of }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {shown.flatMap(([{ letter }, { figures }]) =>
              [figures?.whole, figures?.last_minute].map((part, column) => (
                <Figure
                  key={`${letter} ${column === 0 ? "whole" : "minute"}`}
                  cell={part ? of(part) : null}
                />
              )),
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

interface StateTableProps<Source> extends FiguresTableProps {
  readonly rows: readonly Row<Source>[];
  readonly of: (lane: Lane) => Source | null;
}

/** One column a lane. */
export function StateTable<Source>(props: StateTableProps<Source>) {
  const shown = useFigures(props);
  const { rows, of, caption } = props;
  return (
    <Table label={caption} aria-live="off" className={styles.figures}>
      <thead>
        <tr>
          <td />
          {shown.map(([lane]) => (
            <th key={lane.letter} scope="col">
              {titleOf(lane)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {shown.map(([{ letter }, lane]) => {
              const source = of(lane);
              return <Figure key={letter} cell={source ? row.of(source) : null} />;
            })}
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
