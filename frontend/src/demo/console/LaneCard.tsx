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
import type { LaneChange } from "./asking";
import { BundlingFold } from "./BundlingFold";
import { HearButton } from "./HearButton";
import styles from "./LaneCard.module.css";

interface LaneCardProps extends Omit<LaneChange, "of"> {
  readonly lane: LaneState;
  readonly baselines: readonly Availability[];
  readonly mechanisms: readonly Availability[];
  readonly audible: boolean;
  readonly heard: boolean;
  /** From 1, in the order in which they are shown; the key that one hears it by. */
  readonly place: number;
  readonly onHear: () => void;
}

export function LaneCard(props: LaneCardProps) {
  const { lane, wanted, baselines, mechanisms, audible, heard, place, disabled } = props;
  const { onHear, onChange } = props;
  const part = { of: lane, wanted, disabled, onChange };
  return (
    <li
      data-lane={lane.letter}
      className={clsx(styles.lane, laneColour[lane.letter], audible && heard && styles.heard)}
    >
      <div className={styles.laneParts}>
        <HearButton lane={lane} audible={audible} heard={heard} place={place} onHear={onHear} />
        <div className={styles.switched}>
          <ul className={clsx(bareList.bareList, styles.switches)}>
            {mechanisms.map((mechanism) => (
              <Switch key={mechanism.name} mechanism={mechanism} {...part} />
            ))}
          </ul>
          {lane.listeners > 0 && <p className={look.note}>{counted(lane.listeners, "listener")}</p>}
        </div>
        <Baseline baselines={baselines} {...part} />
        <BundlingFold {...part} />
      </div>
    </li>
  );
}

interface SwitchProps extends LaneChange {
  readonly mechanism: Availability;
}

function Switch({ mechanism, of, wanted, disabled, onChange }: SwitchProps) {
  const { title, available } = mechanism;
  const name = mechanism.name as DemoLane["mechanisms"][number];
  const why = useId();
  const on = of.mechanisms.includes(name);
  const others = wanted.mechanisms.filter((one) => one !== name);
  const wantedOn = others.length < wanted.mechanisms.length;
  const reason = available ? "" : mechanism.reason;
  const flip = () => onChange({ ...wanted, mechanisms: wantedOn ? others : [...others, name] });
  return (
    <li>
      <Toggle
        checked={on}
        disabled={disabled || !available}
        aria-label={`${title}, lane ${of.letter}`}
        {...(reason && { "aria-describedby": why })}
        onChange={flip}
      >
        {title}
        {on !== wantedOn && <span className={look.waiting}>on its way…</span>}
      </Toggle>
      {reason && (
        <p id={why} className={look.note}>
          {reason}
        </p>
      )}
    </li>
  );
}

interface BaselineProps extends LaneChange {
  readonly baselines: readonly Availability[];
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
