// One lane: listen to it, and switch what its sender does.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type ComponentType, useId } from "react";
import type {
  BaselineOption,
  DemoLane,
  LaneState,
  MechanismOption,
  ModeOption,
} from "../../api/generated";
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
import { SctpFold } from "./SctpFold";
import { flipped, mechanismsOf, modesOf, onBaseline, protocolOf } from "./senders";

interface LaneCardProps extends Omit<LaneChange, "of"> {
  readonly lane: LaneState;
  readonly baselines: readonly BaselineOption[];
  readonly mechanisms: readonly MechanismOption[];
  readonly modes: readonly ModeOption[];
  readonly audible: boolean;
  readonly heard: boolean;
  /** From 1, in the order in which they are shown; the key that one hears it by. */
  readonly place: number;
  readonly onHear: () => void;
}

/** What a protocol's senders have of settings. */
const SETTINGS: Readonly<Partial<Record<BaselineOption["protocol"], ComponentType<LaneChange>>>> = {
  tcp: BundlingFold,
  sctp: SctpFold,
};

export function LaneCard(props: LaneCardProps) {
  const { lane, wanted, baselines, audible, heard, place, disabled } = props;
  const { onHear, onChange } = props;
  const mechanisms = mechanismsOf(lane.baseline, baselines, props.mechanisms);
  const modes = modesOf(mechanisms, props.modes);
  const Settings = SETTINGS[protocolOf(lane.baseline, baselines)];
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
        <div className={styles.choices}>
          <Mode modes={modes} mechanisms={mechanisms} {...part} />
          <Baseline baselines={baselines} mechanisms={props.mechanisms} {...part} />
        </div>
        {Settings && <Settings {...part} />}
      </div>
    </li>
  );
}

interface SwitchProps extends LaneChange {
  readonly mechanism: MechanismOption;
}

function Switch({ mechanism, of, wanted, disabled, onChange }: SwitchProps) {
  const { title, available } = mechanism;
  const name = mechanism.name as DemoLane["mechanisms"][number];
  const why = useId();
  const on = of.mechanisms.includes(name);
  const wantedOn = wanted.mechanisms.includes(name);
  const reason = available ? "" : mechanism.reason;
  const flip = () => onChange({ ...wanted, mechanisms: flipped(wanted.mechanisms, name) });
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

interface ModeProps extends LaneChange {
  readonly modes: readonly ModeOption[];
  readonly mechanisms: readonly MechanismOption[];
}

/** Whatever the switches say that no mode has. */
const OWN = "own";

/** All switches at once. */
function Mode({ of, wanted, modes, mechanisms, disabled, onChange }: ModeProps) {
  const missing = mechanisms.filter(({ available }) => !available).map(({ name }) => name);
  const modeOf = (lane: Pick<DemoLane, "mechanisms">) =>
    modes.find((mode) => isSame(mode.mechanisms, lane.mechanisms))?.name ?? OWN;
  const now = modeOf(of);
  const options = modes.map(({ name, title, mechanisms: holds }) => {
    const unavailable = holds.some((one) => missing.includes(one));
    return { name, title: unavailable ? `${title}: not on this kernel` : title, unavailable };
  });
  if (now === OWN) options.push({ name: OWN, title: "As switched", unavailable: true });
  return (
    <Choice
      label="Mode"
      letter={of.letter}
      value={now}
      options={options}
      disabled={disabled}
      waiting={now !== modeOf(wanted)}
      onChoose={(name) => {
        const chosen = modes.find((mode) => mode.name === name);
        if (chosen) onChange({ ...wanted, mechanisms: chosen.mechanisms });
      }}
    />
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

interface BaselineProps extends LaneChange {
  readonly baselines: readonly BaselineOption[];
  readonly mechanisms: readonly MechanismOption[];
}

function Baseline({ of, wanted, baselines, mechanisms, disabled, onChange }: BaselineProps) {
  const missing = baselines.filter(({ available }) => !available);
  return (
    <Choice
      label="Baseline"
      letter={of.letter}
      value={of.baseline}
      options={baselines.map(({ name, title, available, reason }) => ({
        name,
        title: available ? title : `${title}: ${reason}`,
        unavailable: !available,
      }))}
      disabled={disabled}
      title={missing.map(({ title, reason }) => `${title}: ${reason}`).join(" ")}
      waiting={of.baseline !== wanted.baseline}
      onChoose={(name) =>
        onChange(onBaseline(wanted, name as DemoLane["baseline"], baselines, mechanisms))
      }
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly letter: string;
  readonly value: string;
  readonly options: readonly { name: string; title: string; unavailable: boolean }[];
  readonly disabled: boolean;
  readonly title?: string;
  readonly waiting: boolean;
  readonly onChoose: (name: string) => void;
}

function Choice(props: ChoiceProps) {
  const { label, letter, value, options, disabled, title, waiting, onChoose } = props;
  const id = useId();
  return (
    <>
      <label htmlFor={id}>
        {label}
        <span className={look.spoken}>, lane {letter}</span>
      </label>
      <Select
        id={id}
        slim
        value={value}
        disabled={disabled}
        title={title}
        onChange={(event) => onChoose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.name} value={option.name} disabled={option.unavailable}>
            {option.title}
          </option>
        ))}
      </Select>
      {waiting && <span className={look.waiting}>on its way…</span>}
    </>
  );
}
