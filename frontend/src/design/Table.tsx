// Rows and columns, which scroll by themselves where the page is too narrow for them.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef, ReactNode } from "react";
import look from "./look.module.css";
import { Scroll } from "./Scroll";
import styles from "./Table.module.css";

interface TableProps extends ComponentPropsWithRef<"table"> {
  /** Says what is in it, and names the place that scrolls. */
  readonly label: string;
  /** No higher than a part of the window. */
  readonly tall?: boolean;
}

export function Table({ label, tall = false, className, ...rest }: TableProps) {
  return (
    <Scroll label={label} className={clsx(tall && styles.tall)}>
      <table {...rest} className={clsx(styles.table, className)} />
    </Scroll>
  );
}

export interface Column<Row> {
  /** What stands above it; null in the corner above the rows' names. */
  readonly title: string | null;
  /** For a screen reader alone. */
  readonly titleSpoken?: boolean;
  readonly value: (row: Row) => ReactNode;
  /** Of the title and of each value. */
  readonly className?: string | undefined;
}

interface RecordsProps<Row> extends Omit<TableProps, "children"> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** Whether the first column names its row. */
  readonly named?: boolean;
  readonly caption?: ReactNode;
}

/** A row for each of several things that are alike, a column for each thing told of them. */
export function Records<Row>(props: RecordsProps<Row>) {
  const { rows, columns, keyOf, named = true, caption, ...rest } = props;
  return (
    <Table {...rest}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, titleSpoken, className }) =>
            title === null ? (
              <td key="corner" />
            ) : (
              <th key={title} scope="col" className={className}>
                {titleSpoken ? <span className={look.spoken}>{title}</span> : title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, value, className }, place) =>
              named && place === 0 ? (
                <th key={title} scope="row" className={className}>
                  {value(row)}
                </th>
              ) : (
                <td key={title} className={className}>
                  {value(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
