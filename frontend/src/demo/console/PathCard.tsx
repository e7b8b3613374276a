// What all lanes' packets meet: a preset, or free settings for each direction.
// SPDX-License-Identifier: Apache-2.0

import { Fragment, useId, useState } from "react";
import type { GilbertElliott, Path, Preset, Direction as Way } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import { Chip, Chips } from "../../design/Chip";
import { Check } from "../../design/Field";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import type { Asking } from "./asking";
import { BitErrors } from "./BitErrors";
import styles from "./numbers.module.css";
import { Quantity, QuantityOf } from "./Quantity";
import { QueueDiscipline } from "./QueueDiscipline";
import { BURSTS, DIRECTION, FIRST_BURSTS } from "./scales";
import { wantedPath } from "./undoing";
import { withQueue } from "./withQueue";

interface PathCardProps extends Asking {
  readonly presets: readonly Preset[];
  readonly undoable: boolean;
  readonly onUndo: () => void;
}

const ENDS = [
  ["forward", "There: sender to receiver"],
  ["backward", "Back: receiver to sender"],
] as const;

export function PathCard(props: PathCardProps) {
  const { state, onItsWay, presets, undoable, disabled, onWish, onUndo } = props;
  const wanted = wantedPath(state, onItsWay);
  const waits = wanted !== state.path;
  const [both, setBoth] = useState(true);
  const heading = useId();
  const apply = (path: Path) => onWish({ do: "set_path", path });
  const change = (end: "forward" | "backward", direction: Way) =>
    apply(both ? { forward: direction, backward: direction } : { ...wanted, [end]: direction });
  const shown = both ? ENDS.slice(0, 1) : ENDS;
  return (
    <Card aria-labelledby={heading}>
      <Row spread>
        <h2 id={heading}>Path</h2>
        <Button quiet slim disabled={!undoable || disabled} aria-keyshortcuts="u" onClick={onUndo}>
          Undo <kbd>U</kbd>
        </Button>
      </Row>
      <Chips name="Presets">
        {presets.map(({ name, title, description, path }) => (
          <Chip
            key={name}
            title={description}
            aria-pressed={state.preset === name}
            disabled={disabled}
            onClick={() => apply(path)}
          >
            {title}
          </Chip>
        ))}
      </Chips>
      <p className={look.note} role="status">
        {state.words.path} {waits && <span className={look.waiting}>change on its way…</span>}
      </p>
      <details className={styles.fold}>
        <summary>Free settings</summary>
        <Check className={look.small}>
          <input type="checkbox" checked={both} onChange={() => setBoth(!both)} />
          The same in both directions
        </Check>
        {shown.map(([end, title]) => (
          <Direction
            key={end}
            title={both ? "Each way" : title}
            direction={wanted[end]}
            inForce={state.path[end]}
            disabled={disabled}
            onApply={(direction) => change(end, direction)}
          />
        ))}
      </details>
    </Card>
  );
}

interface DirectionProps {
  readonly title: string;
  readonly direction: Way;
  readonly inForce: Way;
  readonly disabled: boolean;
  readonly onApply: (direction: Way) => void;
}

function Direction({ title, direction, inForce, disabled, onApply }: DirectionProps) {
  const bursts = direction.gilbert_elliott;
  const limited = direction.rate_kbit_per_s > 0;
  const plain = (key: keyof typeof DIRECTION) => (
    <QuantityOf
      key={key}
      of={key}
      {...{ scales: DIRECTION, wanted: direction, inForce, disabled }}
      onApply={(change) => onApply(withQueue(direction, change))}
    />
  );
  const losses = (
    <Fragment key="losses">
      <Check className={look.small}>
        <input
          type="checkbox"
          checked={bursts !== null}
          disabled={disabled}
          onChange={(event) =>
            onApply({
              ...direction,
              loss_share: 0,
              gilbert_elliott: event.target.checked ? FIRST_BURSTS : null,
            })
          }
        />
        Losses come in bursts
      </Check>
      {bursts
        ? (Object.keys(BURSTS) as (keyof GilbertElliott)[]).map((key) => (
            <Quantity
              key={key}
              scale={BURSTS[key]}
              value={bursts[key] ?? 0}
              onItsWay={bursts[key] !== inForce.gilbert_elliott?.[key]}
              disabled={disabled}
              onApply={(value) =>
                onApply({ ...direction, gilbert_elliott: { ...bursts, [key]: value } })
              }
            />
          ))
        : plain("loss_share")}
    </Fragment>
  );
  return (
    <fieldset className={styles.numbers}>
      <legend>{title}</legend>
      {(Object.keys(DIRECTION) as (keyof typeof DIRECTION)[])
        .filter((key) => limited || key !== "queue_bytes")
        .map((key) => (key === "loss_share" ? losses : plain(key)))}
      <BitErrors {...{ direction, inForce, disabled, onApply }} />
      {limited && <QueueDiscipline {...{ direction, inForce, disabled, onApply }} />}
    </fieldset>
  );
}
