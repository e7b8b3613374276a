// One lane: listen to it, and switch what its sender does.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useId } from "react";
import type { Availability, DemoLane, LaneState } from "../../api/generated";
import bareList from "../../design/bareList.module.css";
import { Select } from "../../design/Field";
import look from "../../design/look.module.css";
import { Toggle } from "../../design/Toggle";
import { counted } from "../../staff/format";
import laneColour from "../laneColour.module.css";
import { HearButton } from "./HearButton";
import styles from "./LaneCard.module.css";

interface LaneCardProps {
  readonly lane: LaneState;
  /** As it will be when all that is on its way has arrived. */
  readonly wanted: DemoLane;
  readonly baselines: readonly Availability[];
  readonly mechanisms: readonly Availability[];
  readonly audible: boolean;
  readonly heard: boolean;
  /** From 1, in the order in which they are shown; the key that one hears it by. */
  readonly place: number;
  readonly disabled: boolean;
  readonly onHear: () => void;
  readonly onChange: (to: DemoLane) => void;
}

export function LaneCard(props: LaneCardProps) {
  const { lane, wanted, baselines, mechanisms, audible, heard, place, disabled } = props;
  const { onHear, onChange } = props;
  const flip = (name: DemoLane["mechanisms"][number], on: boolean) => {
    const others = wanted.mechanisms.filter((one) => one !== name);
    onChange({ ...wanted, mechanisms: on ? [...others, name] : others });
  };
  return (
    <li
      data-lane={lane.letter}
      className={clsx(styles.lane, laneColour[lane.letter], audible && heard && styles.heard)}
    >
      <div className={styles.laneParts}>
        <HearButton lane={lane} audible={audible} heard={heard} place={place} onHear={onHear} />
        <div className={styles.switched}>
          <ul className={clsx(bareList.bareList, styles.switches)}>
            {mechanisms.map(({ name, title, available, reason }) => (
              <Switch
                key={name}
                label={title}
                lane={lane.letter}
                on={lane.mechanisms.some((one) => one === name)}
                wanted={wanted.mechanisms.some((one) => one === name)}
                disabled={disabled || !available}
                reason={available ? "" : reason}
                onFlip={(on) => flip(name as DemoLane["mechanisms"][number], on)}
              />
            ))}
          </ul>
          {lane.listeners > 0 && <p className={look.note}>{counted(lane.listeners, "listener")}</p>}
        </div>
        <Baseline
          of={lane}
          wanted={wanted}
          baselines={baselines}
          disabled={disabled}
          onChange={onChange}
        />
      </div>
    </li>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly lane: string;
  /** As the kernel has it. */
  readonly on: boolean;
  readonly wanted: boolean;
  readonly disabled: boolean;
  readonly reason: string;
  readonly onFlip: (on: boolean) => void;
}

function Switch({ label, lane, on, wanted, disabled, reason, onFlip }: SwitchProps) {
  const why = useId();
  return (
    <li>
      <Toggle
        checked={on}
        disabled={disabled}
        aria-label={`${label}, lane ${lane}`}
        {...(reason && { "aria-describedby": why })}
        onChange={() => onFlip(!wanted)}
      >
        {label}
        {on !== wanted && <span className={look.waiting}>on its way…</span>}
      </Toggle>
      {reason && (
        <p id={why} className={look.note}>
          {reason}
        </p>
      )}
    </li>
  );
}

interface BaselineProps {
  readonly of: LaneState;
  readonly wanted: DemoLane;
  readonly baselines: readonly Availability[];
  readonly disabled: boolean;
  readonly onChange: (to: DemoLane) => void;
}

function Baseline({ of, wanted, baselines, disabled, onChange }: BaselineProps) {
  const id = useId();
  const missing = baselines.filter(({ available }) => !available);
  return (
    <div className={styles.baseline}>
      <label htmlFor={id}>
        Baseline<span className={look.spoken}>, lane {of.letter}</span>
      </label>
      <Select
        id={id}
        slim
        value={of.baseline}
        disabled={disabled}
        title={missing.map(({ title, reason }) => `${title}: ${reason}`).join(" ")}
        onChange={(event) =>
          onChange({ ...wanted, baseline: event.target.value as DemoLane["baseline"] })
        }
      >
        {baselines.map(({ name, title, available, reason }) => (
          <option key={name} value={name} disabled={!available}>
            {available ? title : `${title}: ${reason}`}
          </option>
        ))}
      </Select>
      {of.baseline !== wanted.baseline && <span className={look.waiting}>on its way…</span>}
    </div>
  );
}
