// What is heard of a replay: which lane, how loud, and why nothing.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useSyncExternalStore } from "react";
import type { DemoTakeRecord } from "../../api/generated";
import { Button } from "../../design/Button";
import bareList from "../../design/bareList.module.css";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import type { DemoLane } from "../charts/lanes";
import { HearButton } from "../console/HearButton";
import laneCard from "../console/LaneCard.module.css";
import laneGrid from "../console/laneGrid.module.css";
import soundLine from "../console/SoundLine.module.css";
import { Loudness } from "../Loudness";
import laneColour from "../laneColour.module.css";
import styles from "./SoundCard.module.css";
import type { ReplaySound, SoundView } from "./sound/replaySound";
import { letterIn, silenceOf } from "./sound/segments";

interface TakeSoundProps {
  /** None: nothing of the demo can be heard. */
  readonly sound: ReplaySound | null;
  /** The one that the replay is in. */
  readonly take: DemoTakeRecord;
  /** In the order of their letters. */
  readonly lanes: readonly DemoLane[];
  readonly speed: number;
}

export function TakeSound({ sound, ...props }: TakeSoundProps) {
  if (sound) return <SoundCard sound={sound} {...props} />;
  return <p className={look.note}>{silenceOf(props.take)}</p>;
}

interface SoundCardProps extends TakeSoundProps {
  readonly sound: ReplaySound;
}

function SoundCard({ sound, take, lanes, speed }: SoundCardProps) {
  const view = useSyncExternalStore(sound.subscribe, sound.view);
  const silence = silenceOf(take);
  const heard = letterIn(lanes, view.letter);
  return (
    <Card className={styles.sound} aria-label="Sound">
      {!silence && (
        <ul className={clsx(bareList.bareList, laneGrid.lanes)}>
          {lanes.map((lane, place) => (
            <li
              key={lane.letter}
              className={clsx(
                laneCard.lane,
                styles.lane,
                laneColour[lane.letter],
                heard === lane.letter && laneCard.heard,
              )}
            >
              <HearButton
                lane={lane}
                audible
                heard={heard === lane.letter}
                place={place + 1}
                onHear={() => sound.choose(lane.letter)}
              />
            </li>
          ))}
        </ul>
      )}
      <Line sound={sound} view={view} told={silence ?? wordOf(view, speed, heard)} />
    </Card>
  );
}

function wordOf({ at, on }: SoundView, speed: number, heard: string): string {
  if (!on) return "Sound is off.";
  if (speed !== 1) return "There is sound at 1 × only.";
  switch (at) {
    case "resting":
      return "Play, and switch between the lanes: each is what the room heard of it.";
    case "loading":
      return "The sound is being loaded…";
    case "playing":
      return `You hear lane ${heard}.`;
    case "blocked":
      return "Your browser holds the sound back.";
    case "away":
      return "The sound could not be loaded. It is tried again.";
    case "undecodable":
      return "This browser cannot decode the sound (Opus in Ogg). Try a newer one, or another.";
  }
}

interface LineProps {
  readonly sound: ReplaySound;
  readonly view: SoundView;
  readonly told: string;
}

function Line({ sound, view, told }: LineProps) {
  return (
    <div className={clsx(soundLine.soundLine, styles.line, look.small)}>
      {view.at === "blocked" ? (
        <Button slim onClick={() => sound.unblock()}>
          Let it sound
        </Button>
      ) : (
        <Button quiet={view.on} slim onClick={() => sound.setOn(!view.on)}>
          {view.on ? "Sound off" : "Sound on"}
        </Button>
      )}
      <Loudness label="Loudness" level={view.level} onSet={(level) => sound.setLevel(level)} />
      <span role="status" className={look.soft}>
        {told}
      </span>
    </div>
  );
}
