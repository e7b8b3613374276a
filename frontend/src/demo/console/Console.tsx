// The presenter's page of a demo that runs.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { answered, api, patience } from "../../api/client";
import type { DemoOptions, DemoState } from "../../api/generated";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Sheet } from "../../design/Sheet";
import { Stack } from "../../design/Stack";
import { FigureCharts, PacketCharts, useChartView } from "../charts/DemoCharts";
import { inLetters } from "../letters";
import { SplitTerminal } from "../screens/SplitTerminal";
import { Player } from "../sound/listen";
import { STREAMS } from "../streams";
import { AdviceLine } from "./AdviceLine";
import { BlindCard } from "./BlindCard";
import styles from "./Console.module.css";
import { Covered } from "./Covered";
import { Head } from "./Head";
import { JoinDialog } from "./JoinDialog";
import { CONSOLE_KEYS, KeysHelp } from "./KeysHelp";
import { Lanes } from "./Lanes";
import { ConsoleLink } from "./link";
import { PathCard } from "./PathCard";
import { nextOf, Running } from "./Running";
import { SetUpCard } from "./SetUpCard";
import { SoundLine } from "./SoundLine";
import { Strain } from "./Strain";
import { StreamCard } from "./StreamCard";
import { useShortcuts } from "./shortcuts";
import type { Wish } from "./undoing";

/** Code of the socket's closing when the demo is over. */
const OVER = 4410;

interface ConsoleProps {
  readonly demo_id: number;
  /** An instant in ISO 8601. */
  readonly began_at: string;
  readonly options: DemoOptions;
  /** Whether the click that led here was one on "Start": sound may begin with it. */
  readonly listening: boolean;
  readonly onEnded: () => void;
}

export function Console(props: ConsoleProps) {
  const { demo_id, began_at, options, listening, onEnded } = props;
  const link = useLink(demo_id);
  const view = useSyncExternalStore(link.subscribe, link.view);
  const { state, standing, refused } = view;
  const ended = state?.stage === "ended" || refused?.code === OVER;
  useEffect(() => {
    if (ended) onEnded();
  }, [ended, onEnded]);
  if (refused && !ended) {
    return (
      <Sheet title="This demo cannot be opened">
        <Notice tone="bad">{refused.reason || "Go back to the list of demos."}</Notice>
        <p>
          <a href="/demo">All demos</a>
        </p>
      </Sheet>
    );
  }
  if (!state || ended) {
    return (
      <Sheet title="One moment" tab="Live demo">
        <p className={look.soft} role="status">
          {standing === "away"
            ? "The server cannot be reached. This page tries again by itself."
            : ended
              ? "The demo has ended; what is left of it is being loaded."
              : "The demo is being opened."}
        </p>
      </Sheet>
    );
  }
  return <Open {...{ link, state, began_at, options, listening }} />;
}

interface OpenProps {
  readonly link: ConsoleLink;
  readonly state: DemoState;
  readonly began_at: string;
  readonly options: DemoOptions;
  readonly listening: boolean;
}

function Open({ link, state, began_at, options, listening }: OpenProps) {
  const view = useSyncExternalStore(link.subscribe, link.view);
  const { standing, onItsWay, refusal, heard } = view;
  const player = usePlayer(link, state.demo_id, listening);
  const sounding = useSyncExternalStore(player.subscribe, () => player.view().at === "playing");
  const [joining, setJoining] = useState(false);
  const [uncovered, setUncovered] = useState(false);
  const wordField = useRef<HTMLInputElement>(null);
  const disabled = standing !== "open";
  const audible = STREAMS[state.stream.kind].heard;
  const covered = state.blind && !uncovered;
  // What the room was asked, and how it voted, is what it looks for now.
  const roomFirst = state.blind || state.poll !== null;
  const lanes = inLetters(state.lanes);
  const hear = (lane: number) => {
    link.ask({ do: "listen", lane });
    if (player.view().at === "silent") player.start();
  };
  const next = nextOf(state);
  const [keysOn, setKeysOn] = useShortcuts({
    ...Object.fromEntries(
      lanes.flatMap(({ lane, letter }, place) => [
        [String(place + 1), () => hear(lane)],
        [letter.toLowerCase(), () => hear(lane)],
      ]),
    ),
    " ": () => next && link.ask(next.wish),
    m: () => link.ask({ do: "mark", text: wordField.current?.value.trim() ?? "" }),
    w: () => wordField.current?.focus(),
    j: () => setJoining(true),
    u: () => link.undo(),
  });
  const charts = useChartView(link.feed);
  const names = lanes.map(({ lane, letter, name }) => ({
    lane,
    letter,
    name,
    heard: audible && sounding && lane === heard,
  }));
  const about = {
    title: state.title,
    began_at,
    blind: state.blind,
    settingAt: link.settings.at,
  };
  const asking = { state, onItsWay, disabled, onWish: (wish: Wish) => link.ask(wish) };
  const room = (
    <BlindCard
      {...asking}
      covered={covered}
      onWish={(wish) => {
        if (wish.do === "blind") setUncovered(false);
        return link.ask(wish);
      }}
    />
  );
  return (
    <main className={styles.console}>
      <Head state={state} disabled={disabled} onJoin={() => setJoining(true)} link={link} />
      {standing !== "open" && (
        <Notice tone="warn" title="The connection to the server is away">
          <p>It comes back by itself. What is shown here is from before.</p>
        </Notice>
      )}
      {state.problem && (
        <Notice tone="bad" title={state.problem.text}>
          <p>{state.problem.remedy}</p>
        </Notice>
      )}
      {refusal && (
        <Notice tone="bad" title={refusal.text}>
          <p role="alert">{refusal.remedy}</p>
        </Notice>
      )}
      {!covered && <AdviceLine advice={state.advice} stream={state.stream.kind} />}
      <div className={clsx(styles.body, covered && styles.hidden)}>
        {covered ? (
          <Covered
            lanes={state.lanes}
            heard={sounding ? heard : null}
            audible={audible}
            poll={state.poll}
            onHear={hear}
            onUncover={() => setUncovered(true)}
          />
        ) : (
          <Lanes
            {...asking}
            baselines={options.baselines}
            mechanisms={options.mechanisms}
            modes={options.modes}
            most={options.limits.lanes}
            heard={sounding ? heard : null}
            audible={audible}
            onHear={hear}
          />
        )}
        <Running
          {...asking}
          event={covered ? null : view.event}
          wordField={wordField}
          sound={audible && <SoundLine player={player} />}
        />
        {state.stream.kind === "terminal" && (
          <div className={styles.terminals}>
            <SplitTerminal
              screens={link.screens}
              panes={lanes.map(({ lane, letter, name }) => ({
                lane,
                name: covered ? letter : `${letter}: ${name}`,
              }))}
              keyboard={{
                onKey: (data) => link.ask({ do: "key", data }),
                onWayOut: () => wordField.current?.focus(),
                help: "What you type goes to all of them. F6 leaves the terminals.",
                invitation: "Click into a terminal to type in all of them.",
              }}
            />
          </div>
        )}
        {!covered && (
          <div className={styles.packets}>
            <PacketCharts view={charts} lanes={names} about={about} sound={audible} />
          </div>
        )}
        <Stack gap={5} className={styles.side}>
          <Strain held_up={state.held_up} />
          {roomFirst && room}
          <SetUpCard {...asking} setUps={options.set_ups} />
          <PathCard
            {...asking}
            presets={options.presets}
            undoable={view.undoable}
            onUndo={() => link.undo()}
          />
          <StreamCard {...asking} clips={options.clips} editors={options.editors} />
          {!roomFirst && room}
          <KeysHelp on={keysOn} onChange={setKeysOn} lanes={lanes.length} keys={CONSOLE_KEYS} />
        </Stack>
        {!covered && (
          <Stack gap={5} className={styles.figures}>
            <FigureCharts view={charts} lanes={names} about={about} />
          </Stack>
        )}
      </div>
      {joining && (
        <JoinDialog
          link={state.join_url}
          code={state.code}
          joined={state.audience.watching}
          onClose={() => setJoining(false)}
        />
      )}
    </main>
  );
}

function useLink(demo_id: number): ConsoleLink {
  const link = useMemo(() => new ConsoleLink(demo_id), [demo_id]);
  useEffect(() => {
    link.open();
    return () => link.close();
  }, [link]);
  return link;
}

/** This page's own sound, which is no part of the audience. */
function usePlayer(link: ConsoleLink, demo_id: number, listening: boolean): Player {
  const player = useMemo(
    () =>
      new Player({
        offer: (sdp) =>
          answered(
            api.POST("/api/demos/{demo_id}/listen", {
              params: { path: { demo_id } },
              body: { sdp, listener: link.listener },
              signal: patience(),
            }),
          ),
      }),
    [link, demo_id],
  );
  useEffect(() => {
    if (listening) player.start();
    return () => player.stop();
  }, [player, listening]);
  return player;
}
