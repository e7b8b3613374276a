// The audience's page: one button to listen, letters to switch between, a vote.
// SPDX-License-Identifier: Apache-2.0

import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Sheet } from "../../design/Sheet";
import styles from "./Audience.module.css";
import "../charts/colours.css";
import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from "react";
import { answered, api, patience } from "../../api/client";
import type { AudienceState } from "../../api/generated";
import { negotiate } from "../../language/negotiate";
import { Speaking, useSay } from "../../language/Speaking";
import { languages, wishes } from "../../language/words";
import { Player } from "../sound/listen";
import { AskCode } from "./AskCode";
import { Hearing } from "./Hearing";
import { AudienceLink } from "./link";
import { Over } from "./Over";
import { Poll } from "./Poll";
import { Revealed } from "./Revealed";
import { standingWords } from "./standingWords";

// The terminal and the charts are large, and not everybody's.
const SplitTerminal = lazy(async () => ({
  default: (await import("../screens/SplitTerminal")).SplitTerminal,
}));
const DemoCharts = lazy(async () => ({
  default: (await import("../charts/DemoCharts")).DemoCharts,
}));

/** Codes of the socket's closing: a demo that is over, and newer pages in this browser. */
const OVER = 4410;
const ELSEWHERE = 4409;

export default function Audience() {
  const language = useMemo(() => negotiate(wishes(), languages), []);
  const code = decodeURIComponent(location.pathname.split("/")[2] ?? "").toUpperCase();
  return <Speaking language={language}>{code ? <Seat code={code} /> : <AskCode />}</Speaking>;
}

function Seat({ code }: { readonly code: string }) {
  const say = useSay();
  const link = useMemo(() => new AudienceLink(code), [code]);
  const player = useMemo(() => playerOf(link, code), [link, code]);
  useEffect(() => {
    link.open();
    return () => {
      player.stop();
      link.close();
    };
  }, [link, player]);
  const { state, standing, refused } = useSyncExternalStore(link.subscribe, link.view);
  const over = refused === OVER || state?.stage === "ended";
  useEffect(() => {
    if (over || refused === ELSEWHERE) player.stop();
  }, [over, refused, player]);
  if (over) {
    return (
      <Over code={code} wasThere>
        {state?.poll?.revealed && <Revealed lanes={state.lanes} />}
      </Over>
    );
  }
  if (refused === ELSEWHERE) {
    return (
      <Sheet title={say("audience.elsewhere.title")}>
        <p>{say("audience.elsewhere.text")}</p>
        <p>
          <Button onClick={() => location.reload()}>{say("audience.elsewhere.here")}</Button>
        </p>
      </Sheet>
    );
  }
  if (refused !== null) return <Over code={code} wasThere={false} />;
  if (!state) {
    return (
      <Sheet title={say("loading.title")} tab={say("audience.title")}>
        <p className={look.soft} role="status">
          {say(standing === "away" ? "audience.away" : "audience.opening.text")}
        </p>
      </Sheet>
    );
  }
  return <Present state={state} link={link} player={player} />;
}

interface PresentProps {
  readonly state: AudienceState;
  readonly link: AudienceLink;
  readonly player: Player;
}

function Present({ state, link, player }: PresentProps) {
  const say = useSay();
  const { standing, begun, you, voting } = useSyncExternalStore(link.subscribe, link.view);
  const sounding = useSyncExternalStore(player.subscribe, () => player.view().at === "playing");
  const { blind, lanes, poll, stream } = state;
  return (
    <Sheet title={state.title} wide>
      <div role="status" className={styles.standing}>
        {standing === "away" && <Notice tone="warn">{say("audience.away")}</Notice>}
        {standing !== "away" && <How state={state} begun={begun} />}
      </div>
      {state.sound && <Hearing state={state} you={you} link={link} player={player} />}
      {!state.sound && <p>{say("audience.no_sound")}</p>}
      {poll && (
        <Poll
          poll={poll}
          lanes={lanes}
          voted={you?.voted ?? null}
          voting={voting}
          onVote={(choice) => link.vote(choice)}
        />
      )}
      {poll?.revealed && <Revealed lanes={lanes} />}
      <Suspense fallback={null}>
        {stream === "terminal" && (
          <section className={styles.part} aria-labelledby="screens">
            <h2 id="screens">{say("audience.screens")}</h2>
            <SplitTerminal
              screens={link.screens}
              panes={lanes.map(({ letter, revealed }) => ({
                lane: letter,
                name: revealed ? `${letter}: ${revealed.name}` : letter,
              }))}
            />
          </section>
        )}
        {!blind && (
          <section className={styles.part} aria-labelledby="charts" lang="en">
            <h2 id="charts">{say("audience.charts")}</h2>
            <DemoCharts
              feed={link.feed}
              about={{
                title: state.title,
                began_at: null,
                blind,
                settingAt: link.settings.at,
              }}
              lanes={told(lanes, sounding ? (you?.letter ?? null) : null)}
              sound={state.sound}
            />
          </section>
        )}
      </Suspense>
    </Sheet>
  );
}

function How({ state, begun }: { readonly state: AudienceState; readonly begun: boolean }) {
  const say = useSay();
  const words = standingWords(state, begun);
  return words && <Notice>{say(words)}</Notice>;
}

/** As the charts want them; nothing of those that are not told. */
const told = (lanes: AudienceState["lanes"], heard: string | null) =>
  lanes.flatMap(({ letter, revealed }) =>
    revealed ? [{ lane: revealed.lane, letter, name: revealed.name, heard: letter === heard }] : [],
  );

const playerOf = (link: AudienceLink, code: string): Player =>
  new Player({
    offer: (sdp) =>
      answered(
        api.POST("/api/audience/{code}/offer", {
          params: { path: { code } },
          body: { sdp, listener: link.listener },
          signal: patience(),
        }),
      ),
  });
