// The excerpt to set the level by, as a voice that repeats.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from "react";
import { decode, output, startOutput, whenHeld } from "../player/output";
import { Pair } from "../player/pair";
import { fetchSoundCheck } from "./recordings";

export type VoiceState = "loading" | "ready" | "playing" | "blocked";

export function useVoice(slug: string) {
  const pair = useRef<Pair | null>(null);
  const [state, setState] = useState<VoiceState>("loading");
  const [played, setPlayed] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    fetchSoundCheck(slug, leaving.signal)
      .then(decode)
      .then(
        (voice) => {
          if (leaving.signal.aborted) return;
          const { context, level } = output();
          pair.current = new Pair(context, { first: voice }, level);
          setState("ready");
        },
        () => {
          // Left the page, or the study is gone; the next request will say so.
        },
      );
    return () => {
      leaving.abort();
      pair.current?.dispose();
      pair.current = null;
    };
  }, [slug]);
  const sounding = state === "playing" || state === "blocked";
  useEffect(() => {
    if (!sounding) return;
    return whenHeld((held) => {
      if (pair.current?.playing) setState(held ? "blocked" : "playing");
    });
  }, [sounding]);
  const stop = useCallback(() => {
    pair.current?.stop();
    setState((now) => (now === "playing" ? "ready" : now));
  }, []);
  const toggle = async () => {
    const voice = pair.current;
    if (!voice) return;
    if (state === "playing") return stop();
    if (!(await startOutput())) return setState("blocked");
    if (!voice.playing) voice.start(0, { loop: { from_s: 0, to_s: voice.duration_s } });
    setState("playing");
    setPlayed(true);
  };
  return { state, played, toggle, stop };
}
