// A demo played back in the view that it had: the same charts, at any speed.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useState, useSyncExternalStore } from "react";
import type { DemoDetails } from "../../api/generated";
import { Card } from "../../design/Card";
import { Empty } from "../../design/Empty";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { DemoCharts } from "../charts/DemoCharts";
import type { DemoLane } from "../charts/lanes";
import { KeysHelp } from "../console/KeysHelp";
import { useShortcuts } from "../console/shortcuts";
import { Votes } from "../console/Votes";
import { time } from "../console/wording";
import type { ReplayFeed } from "../feed/replay";
import { inLetters } from "../letters";
import { SplitTerminal } from "../screens/SplitTerminal";
import { settingOf } from "../settings";
import { STREAMS } from "../streams";
import { Controls } from "./Controls";
import { newestAt, type Recorded, readFeed } from "./recorded";
import { TakeSound } from "./SoundCard";
import { useScreensAt } from "./screensAt";
import type { ReplaySound } from "./sound/replaySound";
import { TakesCompared } from "./takes/TakesCompared";
import { useReplaySound } from "./useReplaySound";

interface ReplayProps {
  /** Where the demo's feed, sound and files are. */
  readonly base: string;
  readonly demo: DemoDetails;
}

export function Replay({ base, demo }: ReplayProps) {
  const address = `${base}/feed`;
  const [recorded, setRecorded] = useState<Recorded | null>(null);
  const [failed, setFailed] = useState(false);
  const [whole, setWhole] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    readFeed(address, setRecorded, leaving.signal).then(
      () => setWhole(true),
      () => !leaving.signal.aborted && setFailed(true),
    );
    return () => leaving.abort();
  }, [address]);
  return (
    <>
      {failed && (
        <Notice tone="bad" title="The replay could not be loaded">
          <p>Reload the page to try again.</p>
        </Notice>
      )}
      {!recorded && !failed && <Empty>The replay is being loaded.</Empty>}
      {recorded && <Played base={base} recorded={recorded} demo={demo} whole={whole} />}
    </>
  );
}

interface PlayedProps extends ReplayProps {
  readonly recorded: Recorded;
  readonly whole: boolean;
}

function Played({ base, recorded, demo, whole }: PlayedProps) {
  const { feed, states, screens } = recorded;
  useSyncExternalStore(feed.subscribe, feed.version);
  const at_ms = useClock(feed);
  const state = newestAt(states, at_ms);
  const shown = useScreensAt(screens, at_ms);
  const sound = useReplaySound(feed, demo.takes, base);
  const lanes = inLetters(state?.lanes ?? []).map(({ lane, letter, name }) => ({
    lane,
    letter,
    name,
  }));
  const [keysOn, setKeysOn] = useReplayKeys(feed, sound, lanes);
  if (whole && feed.end_ms <= feed.start_ms) {
    return <Empty>Nothing was recorded: the demo ended before its lanes were open.</Empty>;
  }
  const take = demo.takes.find(({ number }) => number === state?.take);
  return (
    <>
      {state && (
        <p className={look.note}>
          {state.words.stream} · {state.words.path} · take {state.take}
        </p>
      )}
      <Controls feed={feed} at_ms={at_ms} whole={whole} />
      {take && <TakeSound sound={sound} take={take} lanes={lanes} speed={feed.speed} />}
      {state?.stream.kind === "terminal" && (
        <SplitTerminal
          screens={shown}
          panes={lanes.map(({ lane, letter, name }) => ({ lane, name: `${letter}: ${name}` }))}
        />
      )}
      {state?.poll && (
        <Card aria-label="Vote">
          <Votes poll={state.poll} told={!state.blind} />
        </Card>
      )}
      <section aria-labelledby="replayed-charts">
        <h2 id="replayed-charts" className={look.spoken}>
          Charts
        </h2>
        <DemoCharts
          feed={feed}
          about={{
            title: demo.summary.title,
            began_at: demo.summary.began_at,
            // Whoever can see a replay is told all of it.
            blind: false,
            settingAt: (at_ms) => {
              const then = newestAt(states, at_ms);
              return then && settingOf(then);
            },
          }}
          lanes={lanes}
          sound={state ? STREAMS[state.stream.kind].heard : false}
        />
      </section>
      <TakesCompared feed={feed} demo={demo} base={base} whole={whole} />
      <p className={look.note}>
        Recorded until {time(feed.end_ms)}. {take?.sound?.credit}
      </p>
      <KeysHelp on={keysOn} onChange={setKeysOn} lanes={lanes.length} keys={KEYS} />
    </>
  );
}

const KEYS = [["Space", "plays and pauses"]] as const;

function useReplayKeys(
  feed: ReplayFeed,
  sound: ReplaySound | null,
  lanes: readonly DemoLane[],
): ReturnType<typeof useShortcuts> {
  const hear = (letter: string) => () => sound?.choose(letter);
  return useShortcuts({
    ...Object.fromEntries(
      lanes.flatMap(({ letter }, place) => [
        [String(place + 1), hear(letter)],
        [letter.toLowerCase(), hear(letter)],
      ]),
    ),
    " ": () => (feed.playing ? feed.pause() : feed.play()),
  });
}

const LOOK_MS = 100;

/** Where the replay is; it moves by the charts' frames, and is asked now and then. */
function useClock(feed: Recorded["feed"]): number {
  const [at_ms, setAt] = useState(feed.at_ms);
  useEffect(() => {
    const looking = setInterval(() => setAt(feed.at_ms), LOOK_MS);
    return () => clearInterval(looking);
  }, [feed]);
  return at_ms;
}
