// The player as a listener sees it: two members of one shape, play, position.
// It shows nothing of the sound itself: no waveform, no level.
// SPDX-License-Identifier: Apache-2.0
import "./player.css";
import { useSyncExternalStore } from "react";
import { Button, Notice } from "../design/elements";
import type { Instrument, View } from "./instrument";
import { mustHear } from "./listening";
import type { Member } from "./pair";

const NAMES: Readonly<Record<Member, string>> = { first: "First", second: "Second" };

export const useView = (instrument: Instrument): View =>
  useSyncExternalStore(instrument.subscribe, instrument.view);

export function Player({ instrument }: { readonly instrument: Instrument }) {
  const view = useView(instrument);
  const { playing } = view.listening;
  return (
    <section className="player" aria-label="Player">
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons are no form fields */}
      <div className="members" role="group" aria-label="The two recordings">
        <MemberButton member="first" view={view} instrument={instrument} />
        <MemberButton member="second" view={view} instrument={instrument} />
      </div>
      <div className="transport">
        <Button className="play" onClick={() => void instrument.toggle()}>
          <Icon name={playing ? "pause" : "play"} />
          {playing ? "Pause" : "Play"}
        </Button>
        <Position view={view} instrument={instrument} />
      </div>
      <label className="check small">
        <input
          type="checkbox"
          checked={view.repeat}
          onChange={(event) => instrument.setRepeat(event.target.checked)}
        />
        Start again at the end
      </label>
      {view.blocked && (
        <div role="alert">
          <Notice tone="warn" title="The sound is held back">
            <p>Your browser has stopped the sound, or another program uses it.</p>
            <div className="row">
              <Button slim onClick={() => void instrument.play()}>
                Start the sound
              </Button>
            </div>
          </Notice>
        </div>
      )}
    </section>
  );
}

interface MemberButtonProps {
  readonly member: Member;
  readonly view: View;
  readonly instrument: Instrument;
}

function MemberButton({ member, view, instrument }: MemberButtonProps) {
  const { listening } = view;
  const chosen = listening.member === member;
  const heard = Math.min(1, listening.heard_s[member] / mustHear(instrument.duration_s));
  const doing = chosen && listening.playing ? "Playing" : chosen ? "Chosen" : "Listen";
  return (
    <button
      type="button"
      className="member"
      aria-pressed={chosen}
      aria-label={NAMES[member]}
      onClick={() => void instrument.press(member)}
    >
      <Icon name={chosen && listening.playing ? "sound" : "play"} />
      <span className="name">{NAMES[member]}</span>
      <span className="doing">{doing}</span>
      <span className="heard" aria-hidden="true">
        <span style={{ transform: `scaleX(${heard})` }} />
      </span>
    </button>
  );
}

function Position({ view, instrument }: Omit<MemberButtonProps, "member">) {
  const { duration_s } = instrument;
  const seconds = Math.floor(view.position_s);
  return (
    <div className="position">
      <input
        type="range"
        aria-label="Position"
        min={0}
        max={duration_s}
        step={0.1}
        value={view.position_s}
        aria-valuetext={`${seconds} of ${Math.round(duration_s)} seconds`}
        onChange={(event) => instrument.seek(Number(event.target.value))}
      />
      <span className="time small soft" aria-hidden="true">
        {clock(view.position_s)} / {clock(duration_s)}
      </span>
    </div>
  );
}

function clock(time_s: number): string {
  const seconds = Math.floor(time_s);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const SHAPES = {
  play: "M8 5.5v13l11-6.5z",
  pause: "M7 5.5h3.6v13H7zM13.4 5.5H17v13h-3.6z",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM14.6 8.2a5 5 0 0 1 0 7.6l1.2 1.4a6.9 6.9 0 0 0 0-10.4z",
} as const;

function Icon({ name }: { readonly name: keyof typeof SHAPES }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} fill="currentColor" />
    </svg>
  );
}
