// The sound of a round: fetched, decoded, and played when asked for. It has to be heard before its
// answer.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "react";
import { Problem } from "../api/client";
import { output, startOutput, whenHeld } from "../player/output";

/** Plays a sound that is here; `onSound` is told which part of it begins, 0 and up. */
type Play = (
  sound: AudioBuffer,
  onSound: (part: number) => void,
  signal: AbortSignal,
) => Promise<void>;

export function useRoundSound(
  fetchRound: (round: number, signal: AbortSignal) => Promise<ArrayBuffer>,
  round: number,
  playSound: Play,
  /** The server no longer gives it: another device has gone on. */
  onGone?: () => void,
) {
  const [sound, setSound] = useState<AudioBuffer | null>(null);
  const [now, setNow] = useState<number | null>(null);
  const [heard, setHeard] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const playing = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is to be heard before its answer
  useEffect(() => {
    setHeard(false);
    setNow(null);
    setSound(null);
    const mine = new AbortController();
    fetchRound(round, mine.signal)
      .then((file) => output().context.decodeAudioData(file))
      .then((decoded) => {
        if (!mine.signal.aborted) setSound(decoded);
      })
      .catch((error: unknown) => {
        if (mine.signal.aborted) return;
        if (!onGone || !(error instanceof Problem)) throw error;
        onGone();
      });
    return () => {
      mine.abort();
      playing.current?.abort();
    };
  }, [round]);
  useEffect(() => (now === null ? undefined : whenHeld(setBlocked)), [now]);
  const play = async () => {
    const started = await startOutput();
    setBlocked(!started);
    // What a call has held back goes on where it was.
    if (!started || !sound || now !== null) return;
    const mine = new AbortController();
    playing.current = mine;
    await playSound(sound, setNow, mine.signal);
    if (mine.signal.aborted) return;
    setNow(null);
    setHeard(true);
  };
  return { isHere: sound !== null, now, heard, blocked, play };
}
