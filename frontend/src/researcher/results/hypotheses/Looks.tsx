// Looks before the end: which are planned, which is due, and where the latest stands.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { answered, api } from "../../../api/client";
import type { LookFindings, Looks as Planned, StudyResults } from "../../../api/generated";
import { Button } from "../../../design/Button";
import { TitledCard } from "../../../design/Card";
import { Dialog } from "../../../design/Dialog";
import look from "../../../design/look.module.css";
import { Notice } from "../../../design/Notice";
import { Row } from "../../../design/Row";
import { type Column, Records } from "../../../design/Table";
import { Actions } from "../../../staff/Actions";
import { counted, percent } from "../../../staff/format";
import { useAct } from "../../../staff/useAct";
import { LiveNotices } from "../../live/LiveNotices";
import { useStudyLive } from "../../live/useDeskLive";
import { ofStudy, useStudy } from "../../useStudy";

const POLL_MS = 15_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/looks", ofStudy(slug)));

interface LooksProps {
  /** After a look was taken. */
  readonly onTaken: () => void;
}

/** While a study runs that plans looks. */
export function Looks({ onTaken }: LooksProps) {
  const live = useStudyLive(ask, () => POLL_MS);
  const [asked, setAsked] = useState(false);
  const { data: looks } = live;
  return (
    <>
      <LiveNotices live={live} loading="The planned looks are being asked for." />
      {looks && (
        <TitledCard id="looks" title="Looks before the end">
          <p>{saidNext(looks)}</p>
          <ol>
            {looks.planned.map((size, index) => (
              <li key={size}>
                after {counted(size, "completed session")}
                {looks.taken.includes(index + 1) && ": taken"}
                {looks.due === index + 1 && ": due"}
              </li>
            ))}
          </ol>
          {looks.due !== null && (
            <Row>
              <Button onClick={() => setAsked(true)}>Take look {looks.due}</Button>
            </Row>
          )}
        </TitledCard>
      )}
      {asked && looks && looks.due !== null && (
        <TakeDialog
          number={looks.due}
          onClose={() => setAsked(false)}
          onTaken={() => {
            setAsked(false);
            live.refresh();
            onTaken();
          }}
        />
      )}
    </>
  );
}

function saidNext({ planned, taken, completed, due }: Planned): string {
  if (due !== null) {
    return `Look ${due} of ${planned.length} can be taken: ${counted(completed, "session")} completed.`;
  }
  const next = planned.findIndex((size, index) => size > completed && !taken.includes(index + 1));
  if (next === -1) return `${counted(completed, "session")} completed.`;
  const last = next === planned.length - 1 ? ", at the end" : "";
  return `Look ${next + 1} of ${planned.length} is after ${counted(planned[next] ?? 0, "completed session")}${last}; there are ${completed}.`;
}

interface TakeDialogProps {
  readonly number: number;
  readonly onClose: () => void;
  readonly onTaken: () => void;
}

function TakeDialog({ number, onClose, onTaken }: TakeDialogProps) {
  const { study, refresh } = useStudy();
  const { busy, trouble, run } = useAct();
  const take = async () => {
    const done = await run(() =>
      answered(api.POST("/api/researcher/studies/{slug}/looks", ofStudy(study.slug))),
    );
    if (done) {
      refresh();
      onTaken();
    }
  };
  return (
    <Dialog title={`Take look ${number}?`} onClose={onClose}>
      {(close) => (
        <>
          <p>
            The hypotheses are tested at the level that this look may use, over the sessions that
            were completed first. If a boundary is crossed the study closes: nobody else can join,
            and participants who have begun can finish. This is on record, and cannot be undone.
          </p>
          <Actions trouble={trouble}>
            <Button disabled={busy} onClick={take}>
              Take look {number}
            </Button>
            <Button quiet onClick={close}>
              Not now
            </Button>
          </Actions>
        </>
      )}
    </Dialog>
  );
}

const VERDICTS: Readonly<Record<LookFindings["verdict"], string>> = {
  stop: "crossed: stops",
  continue: "not crossed: goes on",
  last: "the end",
  unplanned: "outside of the planned looks",
};

const COLUMNS: readonly Column<LookFindings>[] = [
  { title: "Look", value: ({ number, of }) => `${number} of ${of}` },
  {
    title: "Information",
    value: ({ analysed, planned, fraction }) =>
      `${analysed} of ${planned} (${percent(Math.round(fraction * 1000) / 1000)})`,
  },
  { title: "Two-sided p below", value: ({ two_sided }) => saidLevel(two_sided) },
  { title: "One-sided p below", value: ({ one_sided }) => saidLevel(one_sided) },
  { title: "Boundary", value: ({ verdict }) => VERDICTS[verdict] },
];

const saidLevel = (level: number): string =>
  level < 0.0001 ? "0.0001 (far below)" : String(Number(level.toPrecision(2)));

/** At which look results stand, and at which levels they are judged. */
export function Standing({ results }: { readonly results: StudyResults }) {
  const { interim } = results;
  const latest = interim?.looks.at(-1);
  if (!interim || !latest) return null;
  return (
    <TitledCard id="standing" title="Looks">
      {latest.verdict === "unplanned" && (
        <Notice tone="warn" title="No level is kept">
          <p>The votes were shown outside of the looks that were planned.</p>
        </Notice>
      )}
      <p>{latest.sentence}</p>
      <Records
        label="Looks that were taken"
        rows={interim.looks}
        columns={COLUMNS}
        keyOf={({ number, verdict }) => `${number} ${verdict}`}
      />
      <p className={look.note}>
        Intervals of what was to decide are as wide as the latest look’s level asks, so that those
        of all looks together hold as often as is declared.
        {interim.over_run > 0 &&
          ` ${counted(interim.over_run, "participant")} finished after the study had stopped; they change no verdict, and are part of everything exploratory.`}
      </p>
    </TitledCard>
  );
}
