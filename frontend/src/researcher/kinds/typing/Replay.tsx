// One session played back: the terminal, its keys' lateness beneath it, and the
// packets that made it so.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useState } from "react";
import { Link } from "wouter";
import type { PacketPassage, Screens, TypingReplay } from "../../../api/generated";
import { LatencyStrip } from "../../../charts/LatencyStrip";
import { PacketLadder } from "../../../charts/PacketLadder";
import { around } from "../../../charts/timeWindow";
import typedCharts from "../../../charts/typed.module.css";
import { Beside } from "../../../design/Beside";
import { Card } from "../../../design/Card";
import { Empty } from "../../../design/Empty";
import { Failure } from "../../../design/Failure";
import look from "../../../design/look.module.css";
import { Notice } from "../../../design/Notice";
import { Scroll } from "../../../design/Scroll";
import type { Once } from "../../../staff/useOnce";
import { CaptureLinks } from "../../CaptureLinks";
import { Hidden } from "../../Hidden";
import { useStudy } from "../../useStudy";
import { Controls, type WindowSeconds } from "./Controls";
import { Facts } from "./Facts";
import { KeyTable } from "./KeyTable";
import { PlayedScreen } from "./PlayedScreen";
import { usePlayback } from "./playback";
import styles from "./Replay.module.css";
import { usePackets, useScreens, useSession } from "./replayed";
import { lengthOf, oneWayOf, reachOf } from "./scales";

export function Replay({ session_id }: { readonly session_id: number }) {
  const { study } = useStudy();
  const session = useSession(session_id);
  const screens = useScreens(session.data ? session_id : null);
  const packets = usePackets(session.data ? session_id : null);
  return (
    <>
      <p>
        <Link href={`/studies/${encodeURIComponent(study.slug)}/typing`}>All sessions</Link>
      </p>
      {session.problem &&
        (study.state.votes_visible ? (
          <Failure title={session.problem} />
        ) : (
          <Hidden what="Replays of sessions" />
        ))}
      {!session.data && !session.problem && <Empty>The session is being loaded.</Empty>}
      {session.data && <Played session={session.data} screens={screens} packets={packets} />}
    </>
  );
}

interface PlayedProps {
  readonly session: TypingReplay;
  readonly screens: Once<Screens>;
  readonly packets: Once<readonly PacketPassage[]>;
}

const NO_SCREENS: Screens["screens"] = [];

function Played({ session, screens, packets }: PlayedProps) {
  const shown = screens.data?.screens ?? NO_SCREENS;
  const length_us = useMemo(() => lengthOf(session, shown), [session, shown]);
  const highest_us = useMemo(() => reachOf(session.keys), [session.keys]);
  const one_way_us = oneWayOf(session);
  const presses_us = useMemo(() => session.keys.map((key) => key.pressed_us), [session.keys]);
  const [window_s, setWindow] = useState<WindowSeconds>("4");
  const playback = usePlayback(length_us);
  const { at_us } = playback;
  const shownNow = { at_us, window: around(at_us, length_us, Number(window_s) * 1e6) };
  useSpaceBar(playback.toggle);
  return (
    <>
      <h2>
        Session {session.session_id}{" "}
        <span className={look.soft}>
          {session.trial}, {session.place}: {session.condition_name}
        </span>
      </h2>
      <Beside className={styles.replay}>
        <div className={styles.screen}>
          {!session.text_kept && (
            <p className={look.note}>
              This study does not keep what is typed: characters are masked, and the rhythm is as it
              was.
            </p>
          )}
          {screens.problem && <Failure title={screens.problem} />}
          {screens.data && shown.length === 0 && (
            <Notice title="No screens were kept of this session" />
          )}
          <PlayedScreen screens={shown} at_us={playback.at_us} />
        </div>
        <Facts session={session} />
      </Beside>
      <Controls
        playback={playback}
        presses_us={presses_us}
        window_s={window_s}
        onWindow={setWindow}
      />
      <Card aria-labelledby="replay-keys">
        <h3 id="replay-keys">Keys: from the press to the glyph</h3>
        <Scroll label="Keys over time" className={typedCharts.scroll}>
          <LatencyStrip
            keys={session.keys}
            highest_us={highest_us}
            onSeek={playback.seek}
            {...shownNow}
          />
        </Scroll>
        <KeyTable keys={session.keys} onSeek={playback.seek} />
      </Card>
      <Card aria-labelledby="replay-packets">
        <h3 id="replay-packets">Packets</h3>
        {packets.problem && <Notice tone="warn" title={packets.problem} />}
        {!packets.data && !packets.problem && <Empty>The captures are being read.</Empty>}
        {packets.data?.length === 0 && <p className={look.soft}>There are no captures of it.</p>}
        {packets.data && packets.data.length > 0 && (
          <Scroll label="Packets over time" className={typedCharts.scroll}>
            <PacketLadder packets={packets.data} one_way_us={one_way_us} {...shownNow} />
          </Scroll>
        )}
        <CaptureLinks at={`/api/researcher/typing-sessions/${session.session_id}/captures`} />
      </Card>
    </>
  );
}

/** The space bar plays and pauses wherever it does nothing else. */
function useSpaceBar(toggle: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== " " || event.defaultPrevented) return;
      const busy = event.target instanceof Element && event.target.closest(BUSY);
      if (busy) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [toggle]);
}
const BUSY = "button, a, input:not([type=range]), select, textarea, summary, [role=button]";
