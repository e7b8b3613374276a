// The members of a run, one above the other: sound, waveform, and what the
// receiver did to the sound, on one axis of time.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useCallback, useEffect, useRef, useState } from "react";
import type {
  MemberRecording,
  PlayoutEvent,
  Waveform as WaveformData,
} from "../../../api/generated";
import legend from "../../../charts/legend.module.css";
import { Waveform } from "../../../charts/Waveform";
import drawn from "../../../charts/Waveform.module.css";
import { Check } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Row } from "../../../design/Row";
import { Stack } from "../../../design/Stack";
import type { Once } from "../../../staff/useOnce";
import styles from "./Listening.module.css";
import { nameOf, sentId } from "./naming";
import { useResult, useWaveform } from "./once";

const NONE: Once<WaveformData> = { data: null, problem: null };

const peakOf = ({ lowest, highest }: WaveformData): number =>
  Math.max(...highest, ...lowest.map((value) => -value));

interface ListeningProps {
  readonly members: readonly MemberRecording[];
}

export function Listening({ members }: ListeningProps) {
  const players = useRef(new Map<string, HTMLAudioElement>());
  /** One at a time; the other goes on from where this one is, for a comparison in place. */
  const onPlay = useCallback((member: string) => {
    for (const [name, player] of players.current) if (name !== member) player.pause();
  }, []);
  const onPause = useCallback((member: string, at_s: number) => {
    for (const [name, player] of players.current)
      if (name !== member && player.paused) player.currentTime = at_s;
  }, []);
  const [events, setEvents] = useState(true);
  const waveforms = [useWaveform(members[0]?.id ?? null), useWaveform(members[1]?.id ?? null)];
  // One scale for both, or the eye would compare what the ear does not.
  const peak = Math.max(...waveforms.map(({ data }) => (data ? peakOf(data) : 0))) || 1;
  return (
    <Stack gap={6}>
      {members.map((member, index) => (
        <Member
          key={member.member}
          member={member}
          waveform={waveforms[index] ?? NONE}
          peak={peak}
          showEvents={events}
          onPlayer={(player) => {
            if (player) players.current.set(member.member, player);
            else players.current.delete(member.member);
          }}
          onPlay={() => onPlay(member.member)}
          onPause={(at_s) => onPause(member.member, at_s)}
        />
      ))}
      <Row spread className={look.small}>
        <Legend />
        <Check>
          <input
            type="checkbox"
            checked={events}
            onChange={(event) => setEvents(event.target.checked)}
          />
          Show what the receiver did
        </Check>
      </Row>
    </Stack>
  );
}

/** In recordings; of what came damaged, demos alone tell where it is heard. */
const KINDS: Readonly<Record<Exclude<PlayoutEvent["kind"], "damaged">, string>> = {
  concealed: "concealed",
  silent: "silent",
  stretched: "played slower",
  compressed: "played faster",
  dropped: "dropped",
};

function Legend() {
  return (
    <ul className={clsx(legend.legend, look.small)}>
      {Object.entries(KINDS).map(([kind, name]) => (
        <li key={kind}>
          <span className={clsx(drawn.swatch, drawn[kind])} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

interface MemberProps {
  readonly member: MemberRecording;
  readonly waveform: Once<WaveformData>;
  /** Of the loudest member. */
  readonly peak: number;
  readonly showEvents: boolean;
  readonly onPlayer: (player: HTMLAudioElement | null) => void;
  readonly onPlay: () => void;
  readonly onPause: (at_s: number) => void;
}

function Member({ member, onPlayer, onPlay, onPause, ...drawn }: MemberProps) {
  const name = nameOf(member);
  const at = `/api/researcher/recordings/${member.id}`;
  const player = useRef<HTMLAudioElement>(null);
  const [at_ms, setAt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when it is there
  useEffect(() => {
    onPlayer(player.current);
    return () => onPlayer(null);
  }, []);
  useEffect(() => follow(player.current, setAt), []);
  const seek = (to_ms: number) => {
    if (!player.current) return;
    player.current.currentTime = to_ms / 1000;
    void player.current.play().catch(() => null);
  };
  return (
    <Stack gap={3} className={styles.heard}>
      <Row spread>
        <h3>{name}</h3>
        <Predicted member={member} />
      </Row>
      <Shape member={member} at_ms={at_ms} onSeek={seek} {...drawn} />
      {/* biome-ignore lint/a11y/useMediaCaption: a recording under test; its text is not what it is for */}
      <audio
        ref={player}
        controls
        preload="none"
        src={`${at}/audio`}
        aria-label={`Recording ${name}`}
        onPlay={onPlay}
        onPause={(event) => onPause(event.currentTarget.currentTime)}
      />
      {sentId(member) === null ? (
        <span className={look.note}>Made of the clip directly: nothing was sent.</span>
      ) : (
        <span className={look.small}>
          Packets:{" "}
          <a href={`${at}/captures/sender.pcapng`} download>
            sender<span className={look.spoken}> of {name}</span>
          </a>
          {", "}
          <a href={`${at}/captures/receiver.pcapng`} download>
            receiver<span className={look.spoken}> of {name}</span>
          </a>{" "}
          <span className={look.soft}>(pcapng)</span>
        </span>
      )}
    </Stack>
  );
}

/** Tells the place of what plays, each time that the screen is drawn. */
function follow(player: HTMLAudioElement | null, tell: (at_ms: number) => void): () => void {
  if (!player) return () => {};
  let frame = 0;
  const look = () => {
    tell(player.currentTime * 1000);
    frame = player.paused ? 0 : requestAnimationFrame(look);
  };
  const begin = () => {
    if (frame === 0) look();
  };
  for (const event of ["play", "seeked", "pause", "ended"]) player.addEventListener(event, begin);
  return () => {
    cancelAnimationFrame(frame);
    for (const event of ["play", "seeked", "pause", "ended"])
      player.removeEventListener(event, begin);
  };
}

function Predicted({ member }: { readonly member: MemberRecording }) {
  return member.predicted.map(({ measure, version, score, reason }) => (
    <span key={measure} className={look.small}>
      {score === null ? (
        <span className={look.soft}>No prediction: {reason}</span>
      ) : (
        <>
          Predicted quality <strong>{score.toFixed(2)}</strong>{" "}
          <span className={look.soft}>
            ({measure.replaceAll("_", " ")}, {version}; a prediction, nobody heard it)
          </span>
        </>
      )}
    </span>
  ));
}

interface ShapeProps extends Pick<MemberProps, "member" | "waveform" | "peak" | "showEvents"> {
  readonly at_ms: number;
  readonly onSeek: (to_ms: number) => void;
}

function Shape({ member, waveform, peak, at_ms, showEvents, onSeek }: ShapeProps) {
  const result = useResult(sentId(member));
  const events = result.data?.playout_events ?? [];
  if (!waveform.data)
    return (
      <p className={clsx(styles.waveformPlace, look.note)} role="status">
        {waveform.problem ?? "The waveform is being drawn."}
      </p>
    );
  return (
    <Waveform
      lowest={waveform.data.lowest}
      highest={waveform.data.highest}
      peak={peak}
      duration_ms={waveform.data.duration_ms}
      events={showEvents ? events : []}
      at_ms={at_ms}
      onSeek={onSeek}
      label={described(nameOf(member), waveform.data.duration_ms, events)}
    />
  );
}

/** The waveform for who does not see it. */
function described(name: string, duration_ms: number, events: readonly PlayoutEvent[]): string {
  const counted = Object.entries(KINDS).flatMap(([kind, word]) => {
    const times = events.filter((event) => event.kind === kind).length;
    return times > 0 ? [`${times} times ${word}`] : [];
  });
  const did = counted.length > 0 ? counted.join(", ") : "nothing done to the sound";
  return `Waveform of ${name}, ${(duration_ms / 1000).toFixed(1)} s: ${did}`;
}
