// A study as it runs: who is where, what fails, what is balanced. Asks again by
// itself, and never learns how anybody voted.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useState } from "react";
import { answered, api } from "../../api/client";
import type { Monitor } from "../../api/generated";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { clock } from "../../staff/format";
import desk from "../desk.module.css";
import { kindOf } from "../kinds/registry";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { TargetBars } from "../TargetBars";
import { ofKind, useStudy } from "../useStudy";
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

const ask = (slug: string, kind: Monitor["kind"]) =>
  answered(api.GET("/api/researcher/studies/{slug}/monitor", ofKind(slug, kind)));

export function MonitorPage() {
  const { study } = useStudy();
  const [kind, setKind] = useState<Monitor["kind"]>("person");
  const live = useStudyLive(ask, () => POLL_MS, kind);
  return (
    <>
      <p className={look.lead}>{study.description}</p>
      <div className={desk.columns}>
        <State />
        <Handout />
      </div>
      <LiveNotices live={live} loading="The counts are being loaded." />
      {live.data && <Watched monitor={live.data} onKind={setKind} />}
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
      {Object.entries(monitor.sessions).map(([medium, counts]) => {
        const { Sessions } = kindOf(medium).monitor;
        return Sessions && <Sessions key={medium} counts={counts} />;
      })}
      <Positions monitor={monitor} />
      <div className={desk.columns}>
        <Checks monitor={monitor} />
        <Days monitor={monitor} />
      </div>
      <Balance monitor={monitor} />
    </>
  );
}
