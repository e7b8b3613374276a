// Every key of a session in figures: what the strip draws, for who reads.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { KeyPassage } from "../../../api/generated";
import { LOSSES, lossesOf } from "../../../charts/stages";
import { Button } from "../../../design/Button";
import look from "../../../design/look.module.css";
import { type Column, Records } from "../../../design/Table";
import { delay } from "../../../staff/format";
import { seconds } from "./Controls";
import { Noted } from "./Noted";
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
        <Records
          label="Table of keys"
          tall
          className={sessionsTable.table}
          rows={keys}
          keyOf={(key) => key.number}
          columns={columns(onSeek)}
        />
      )}
    </details>
  );
}

const columns = (onSeek: KeyTableProps["onSeek"]): readonly Column<KeyPassage>[] => [
  { title: "Key", value: (key) => key.number },
  {
    title: "Pressed",
    value: (key) => <Pressed at_us={key.pressed_us} number={key.number} onSeek={onSeek} />,
  },
  {
    title: "Kind",
    value: (key) => <Noted note={key.repeat && " (held)"}>{key.kind}</Noted>,
  },
  {
    title: "To the glyph",
    className: sessionsTable.number,
    value: (key) => delay(ms(0, key.painted_us)),
  },
  {
    title: "Key’s way",
    className: sessionsTable.number,
    value: (key) => delay(ms(key.key_written_us, key.key_delivered_us)),
  },
  {
    title: "Echo’s way",
    className: sessionsTable.number,
    value: (key) => delay(ms(key.echo_written_us, key.echo_delivered_us)),
  },
  { title: "Lost", value: (key) => lost(key) || <span className={look.soft}>–</span> },
];

interface PressedProps extends Pick<KeyTableProps, "onSeek"> {
  readonly number: number;
  readonly at_us: number;
}

function Pressed({ number, at_us, onSeek }: PressedProps) {
  const at = seconds(at_us);
  return (
    <Button quiet slim aria-label={`To key ${number}, at ${at}`} onClick={() => onSeek(at_us)}>
      {at}
    </Button>
  );
}

const lost = (key: KeyPassage): string =>
  lossesOf(key)
    .map(({ of, by }) => `${of}: ${LOSSES[by]}`)
    .join("; ");

const ms = (from_us: number | null, to_us: number | null): number | null =>
  from_us === null || to_us === null ? null : (to_us - from_us) / 1000;
