// The player of a trial that is played freely: members of one shape, play,
// position, and the part to repeat. It shows nothing of the sound itself: no
// waveform, no level.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { Button } from "../design/Button";
import { Check } from "../design/Field";
import look from "../design/look.module.css";
import { Progress } from "../design/Progress";
import { Stack } from "../design/Stack";
import { useSay } from "../language/Speaking";
import styles from "./FreePlayer.module.css";
import { type FreeInstrument, type FreeView, LEAST_LOOP_SECONDS } from "./free";
import { counting_s, needed_s } from "./listening";
import type { Member } from "./pair";
import {
  Blocked,
  clock,
  Icon,
  type MemberNames,
  membersClass,
  type PlayerProps,
  useView,
} from "./parts";
import player from "./player.module.css";

interface FreePlayerProps extends Pick<PlayerProps<FreeInstrument>, "instrument"> {
  /** None where the members stand elsewhere. */
  readonly names?: MemberNames;
}

export function FreePlayer({ instrument, names }: FreePlayerProps) {
  const say = useSay();
  const view = useView(instrument);
  const { members } = instrument;
  const { playing } = view.listening;
  return (
    <section className={player.player} aria-label={say("player.label")}>
      {names && members.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: two buttons are no form fields
        <div
          className={membersClass(members)}
          role="group"
          aria-label={say(members.length > 2 ? "player.members.three" : "player.members")}
        >
          {members.map((member) => (
            <MemberButton
              key={member}
              member={member}
              name={say(names[member])}
              view={view}
              instrument={instrument}
            />
          ))}
        </div>
      )}
      <div className={player.transport}>
        <Button className={player.play} data-testid="play" onClick={() => void instrument.toggle()}>
          <Icon name={playing ? "pause" : "play"} />
          {say(playing ? "player.pause" : "player.play")}
        </Button>
        <Position view={view} instrument={instrument} />
      </div>
      <Loop view={view} instrument={instrument} />
      {view.blocked && <Blocked onStart={() => void instrument.play()} />}
    </section>
  );
}

interface PartProps extends Pick<PlayerProps<FreeInstrument>, "instrument"> {
  readonly view: FreeView;
}

interface MemberButtonProps extends PartProps {
  readonly member: Member;
  readonly name: string;
}

function MemberButton({ member, name, view, instrument }: MemberButtonProps) {
  const say = useSay();
  const { listening } = view;
  const chosen = listening.member === member;
  const sounding = chosen && listening.playing;
  const heard = heardShare(instrument, view, member);
  return (
    <button
      type="button"
      className={player.member}
      aria-pressed={chosen}
      aria-label={name}
      onClick={() => void instrument.press(member)}
    >
      <Icon name={sounding ? "sound" : "play"} />
      <span className={player.name}>{name}</span>
      <span className={player.doing}>
        {say(sounding ? "player.playing" : chosen ? "player.chosen" : "player.listen")}
      </span>
      <Progress className={styles.part} share={heard} />
    </button>
  );
}

/** Of what has to be heard of a member, 0…1. */
export function heardShare(
  { must, duration_s }: FreeInstrument,
  { listening }: FreeView,
  member: Member,
): number {
  const needed = needed_s(must, duration_s);
  return needed > 0 ? Math.min(1, counting_s(must, listening, member) / needed) : 1;
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

function Position({ view, instrument }: PartProps) {
  const say = useSay();
  const { duration_s } = instrument;
  const { from_s, to_s } = view.region;
  const seconds = Math.floor(view.position_s);
  const length = Math.round(duration_s);
  return (
    <div className={player.position}>
      <div className={styles.track}>
        <input
          type="range"
          aria-label={say("player.position")}
          min={0}
          max={duration_s}
          step={0.1}
          value={view.position_s}
          aria-valuetext={say("player.position.value", { seconds, length })}
          onChange={(event) => instrument.seek(Number(event.target.value))}
        />
        {view.looping && (
          <span
            className={styles.region}
            aria-hidden="true"
            style={{
              left: percent(from_s / duration_s),
              width: percent((to_s - from_s) / duration_s),
            }}
          />
        )}
      </div>
      <span className={clsx(styles.time, look.note)} aria-hidden="true">
        {clock(view.position_s)} / {clock(duration_s)}
      </span>
    </div>
  );
}

function Loop({ view, instrument }: PartProps) {
  const say = useSay();
  const { from_s, to_s } = view.region;
  return (
    <div className={styles.loop}>
      <Check className={clsx(styles.repeats, look.small)}>
        <input
          type="checkbox"
          checked={view.looping}
          onChange={(event) => instrument.setLooping(event.target.checked)}
        />
        {say("loop.repeat")}
        <span className={clsx(styles.time, look.soft)}>
          {clock(from_s)}–{clock(to_s)}
        </span>
      </Check>
      {instrument.duration_s > LEAST_LOOP_SECONDS && (
        <details className={look.small}>
          <summary>{say("loop.part")}</summary>
          <Stack gap={3} className={styles.bounds}>
            <Bound
              label={say("loop.from")}
              value_s={from_s}
              most_s={instrument.duration_s}
              onChange={(at_s) => instrument.beginLoopAt(at_s)}
            />
            <Bound
              label={say("loop.to")}
              value_s={to_s}
              most_s={instrument.duration_s}
              onChange={(at_s) => instrument.endLoopAt(at_s)}
            />
          </Stack>
        </details>
      )}
    </div>
  );
}

interface BoundProps {
  readonly label: string;
  readonly value_s: number;
  readonly most_s: number;
  readonly onChange: (at_s: number) => void;
}

function Bound({ label, value_s, most_s, onChange }: BoundProps) {
  const say = useSay();
  const seconds = Math.round(10 * value_s) / 10;
  return (
    <label className={styles.bound}>
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={most_s}
        step={0.1}
        value={value_s}
        aria-valuetext={say("loop.seconds", { seconds })}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <span className={clsx(styles.time, look.soft)} aria-hidden="true">
        {seconds.toFixed(1)} s
      </span>
    </label>
  );
}
