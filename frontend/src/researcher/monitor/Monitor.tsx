// A study as it runs: who is where, what fails, what is balanced. Asks again by
// itself, and never learns how anybody voted.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useCallback, useState } from "react";
import { answered, api, patience } from "../../api/client";
import type { Monitor } from "../../api/generated";
import { Empty } from "../../design/Empty";
import { Failure } from "../../design/Failure";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { clock } from "../../staff/format";
import { Lost } from "../../staff/Lost";
import { useLive } from "../../staff/live";
import desk from "../desk.module.css";
import { pace } from "../pace";
import { TargetBars } from "../TargetBars";
import { Summary } from "../typing/Summary";
import { useSignedOut, useStudy } from "../useStudy";
import { Balance } from "./Balance";
import { Checks } from "./Checks";
import { Days } from "./Days";
import { Funnel } from "./Funnel";
import { Handout } from "./Handout";
import { Kinds } from "./Kinds";
import { Positions } from "./Positions";
import { State } from "./State";
import { Whereabouts } from "./Whereabouts";

const POLL_MS = 3_000;

export function MonitorPage() {
  const { study, onSignedOut } = useStudy();
  const [kind, setKind] = useState<Monitor["kind"]>("person");
  const [{ timed, pause_ms }] = useState(() => pace());
  const ask = useCallback(
    () =>
      timed(() =>
        answered(
          api.GET("/api/researcher/studies/{slug}/monitor", {
            params: { path: { slug: study.slug }, query: { kind } },
            signal: patience(),
          }),
        ),
      ),
    [study.slug, kind, timed],
  );
  const live = useLive(ask, () => pause_ms(POLL_MS));
  useSignedOut(live, onSignedOut);
  return (
    <>
      <p className={look.lead}>{study.description}</p>
      <div className={desk.columns}>
        <State />
        <Handout />
      </div>
      {live.lost && <Lost />}
      {live.problem && <Failure title={live.problem.message} />}
      {live.data ? (
        <Watched monitor={live.data} onKind={setKind} />
      ) : (
        <Empty>The counts are being loaded.</Empty>
      )}
    </>
  );
}

interface WatchedProps {
  readonly monitor: Monitor;
  readonly onKind: (kind: Monitor["kind"]) => void;
}

function Watched({ monitor, onKind }: WatchedProps) {
  return (
    <>
      <Row spread>
        <Kinds monitor={monitor} onKind={onKind} />
        <span className={clsx(desk.liveMark, look.note)}>Live · {clock(monitor.at)}</span>
      </Row>
      {monitor.funnel.joined > 0 ? <Counts monitor={monitor} /> : <Nobody monitor={monitor} />}
    </>
  );
}

function Nobody({ monitor }: { readonly monitor: Monitor }) {
  return (
    <Notice title={monitor.kind === "person" ? "Nobody has joined yet" : "None have joined"}>
      <p>What people do appears here by itself: how far they come, what fails, what is balanced.</p>
      <TargetBars targets={monitor.targets} stopsOn={monitor.stops_on} />
    </Notice>
  );
}

function Counts({ monitor }: { readonly monitor: Monitor }) {
  return (
    <>
      <div className={desk.columns}>
        <Funnel monitor={monitor} />
        <Whereabouts monitor={monitor} />
      </div>
      {monitor.typing && <Summary counts={monitor.typing} />}
      <Positions monitor={monitor} />
      <div className={desk.columns}>
        <Checks monitor={monitor} />
        <Days monitor={monitor} />
      </div>
      <Balance monitor={monitor} />
    </>
  );
}
