// The cells that allocation balances, as a table whose ground tells the number.
// SPDX-License-Identifier: Apache-2.0

import type { BlockBalance, Monitor } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Records } from "../../design/Table";
import styles from "./Balance.module.css";

export function Balance({ monitor }: { readonly monitor: Monitor }) {
  const cells = monitor.balance.flatMap(({ rows }) => rows.flatMap((row) => row.completed));
  const most = Math.max(1, ...cells);
  return (
    <TitledCard id="balance" title="Balance among completed sessions">
      <p className={look.note}>
        How often each trial came at each position, with either member first. Once every place that
        was given up has been taken by somebody else, the numbers of a block differ by at most one;
        a trial of one recording or one condition has one cell where others have two.
      </p>
      {monitor.balance.map((block) => (
        <BlockCells key={block.block_id} block={block} most={most} />
      ))}
    </TitledCard>
  );
}

type Row = BlockBalance["rows"][number];

interface BlockCellsProps {
  readonly block: BlockBalance;
  readonly most: number;
}

function BlockCells({ block, most }: BlockCellsProps) {
  const { block_id, first_position, rows, apart } = block;
  const positions = rows[0]?.completed.map((_, at) => first_position + at) ?? [];
  return (
    <Records
      label={`Balance of the block ${block_id}`}
      className={styles.cells}
      caption={
        <>
          Block “{block_id}”:{" "}
          {apart > 1 ? (
            <span className={styles.apart}>{apart} apart</span>
          ) : (
            "balanced to within one"
          )}
        </>
      }
      rows={rows}
      keyOf={({ trial_id, first_condition }) => `${trial_id} ${first_condition}`}
      columns={[
        {
          title: "Trial, presented first",
          value: ({ trial_id, first_condition }) => (
            <>
              {trial_id} <span className={look.soft}>· {first_condition}</span>
            </>
          ),
        },
        ...positions.map((position, at) => ({
          title: String(position),
          className: styles.cell,
          value: ({ completed }: Row) => <Cell completed={completed[at] ?? 0} most={most} />,
        })),
      ]}
    />
  );
}

interface CellProps {
  readonly completed: number;
  readonly most: number;
}

function Cell({ completed, most }: CellProps) {
  return (
    <>
      <span
        className={styles.cellGround}
        style={{ opacity: 0.06 + (0.3 * completed) / most }}
        aria-hidden="true"
      />
      <span className={styles.cellNumber}>{completed}</span>
    </>
  );
}
