// Opens the sound output with a click and lets the listener set a level.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import type { StudyPage } from "../api/generated";
import { Button, Notice, Sheet } from "../design/elements";
import { output, startOutput } from "../player/output";
import { Pair } from "../player/pair";
import { readLevel, writeLevel } from "./level";
import { fetchSoundCheck } from "./recordings";

interface SoundCheckProps {
  readonly study: StudyPage;
  readonly onHeard: () => Promise<void>;
}

export function SoundCheck({ study, onHeard }: SoundCheckProps) {
  const speech = useSpeech(study.slug);
  const [level, setLevel] = useState(readLevel);
  const [heard, setHeard] = useState(false);
  const turn = (percent: number) => {
    setLevel(percent);
    writeLevel(percent);
  };
  const [leaving, setLeaving] = useState(false);
  const goOn = async () => {
    setLeaving(true);
    speech.stop();
    await onHeard();
    setLeaving(false);
  };
  return (
    <Sheet title="Set your sound">
      <p className="lead">
        Please use headphones if you have any, and a quiet place. Play the voice and make it as loud
        as you would like to hear someone on the telephone. Then leave it there.
      </p>
      <div className="card">
        <div className="row">
          <Button disabled={speech.state === "loading"} onClick={() => void speech.toggle()}>
            {SPEECH_LABEL[speech.state]}
          </Button>
          <span className="small soft" role="status">
            {speech.state === "playing" && "The voice repeats until you stop it."}
          </span>
        </div>
        {speech.state === "blocked" && (
          <div role="alert">
            <Notice tone="warn" title="Your browser does not let the sound start">
              <p>
                Check that no other program holds your headphones, and that this page may play
                sound. Then press “Play the voice” again.
              </p>
            </Notice>
          </div>
        )}
        <div className="field">
          <label htmlFor="level">Level</label>
          <input
            id="level"
            type="range"
            min={5}
            max={100}
            step={1}
            value={level}
            aria-valuetext={`${level} percent`}
            onChange={(event) => turn(Number(event.target.value))}
          />
          <p className="small soft">
            Too quiet at the right end? Turn up the volume of your device as well.
          </p>
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={heard}
            onChange={(event) => setHeard(event.target.checked)}
          />
          <span>I hear the voice clearly, at a comfortable level.</span>
        </label>
        <div className="row">
          <Button disabled={!heard || !speech.played || leaving} onClick={() => void goOn()}>
            Go on to the first trial
          </Button>
          {!speech.played && <span className="small soft">Play the voice first.</span>}
        </div>
      </div>
    </Sheet>
  );
}

type SpeechState = "loading" | "ready" | "playing" | "blocked";

const SPEECH_LABEL: Readonly<Record<SpeechState, string>> = {
  loading: "Loading the voice…",
  ready: "Play the voice",
  playing: "Stop the voice",
  blocked: "Play the voice",
};

/** The excerpt as a voice that repeats; the graph is a pair's, so it fades alike. */
function useSpeech(slug: string) {
  const [pair, setPair] = useState<Pair | null>(null);
  const [state, setState] = useState<SpeechState>("loading");
  const [played, setPlayed] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    let made: Pair | null = null;
    fetchSoundCheck(slug, leaving.signal).then(
      (speech) => {
        const { context, level } = output();
        made = new Pair(context, { first: speech, second: speech }, level);
        setPair(made);
        setState("ready");
      },
      () => {
        // Left the page, or the study is gone; the next request will say so.
      },
    );
    return () => {
      leaving.abort();
      made?.dispose();
    };
  }, [slug]);
  const stop = () => {
    pair?.stop();
    setState("ready");
  };
  const toggle = async () => {
    if (!pair) return;
    if (pair.playing) return stop();
    if (!(await startOutput())) return setState("blocked");
    pair.start(0, { repeat: true });
    setState("playing");
    setPlayed(true);
  };
  return { state, played, toggle, stop };
}
