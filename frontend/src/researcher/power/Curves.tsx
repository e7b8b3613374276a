// The curve of each hypothesis or primary test, with its numbers in a table, and what was assumed.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { PlannedTest, PowerCurve } from "../../api/generated";
import { PowerChart } from "../../charts/PowerChart";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { Segments } from "../../design/Segments";
import { type Column, Records } from "../../design/Table";
import { counted, percent } from "../../staff/format";
import { chartOf, type Over, saidEffect, WANTED, type What } from "./chart";

const OVER: Readonly<Record<Over, string>> = {
  participants: "Over participants",
  effect: "Over the effect",
};

const WHAT: Readonly<Record<What, string>> = {
  shown: "A difference is shown",
  none: "None that matters is shown",
};

export function Curves({ curve }: { readonly curve: PowerCurve }) {
  const [over, setOver] = useState<Over>("participants");
  return (
    <>
      <p className={look.soft}>
        {counted(curve.studies, "simulated study").replace("studys", "studies")} for each point;{" "}
        intervals and tests at {percent(curve.confidence)}
        {curve.rule === "any" && ", corrected after Holm"}
        {curve.rule === "all" && ", each at the full level"}.{" "}
        {curve.planned === null
          ? "The study names no number of participants."
          : `The study ends after ${counted(curve.planned, "completed session")}.`}
      </p>
      <Row>
        <Segments name="What the curves are over" options={OVER} chosen={over} onChoose={setOver} />
      </Row>
      {curve.tests.map((test) => (
        <Test key={test.id} test={test} curve={curve} over={over} />
      ))}
      {curve.together.length > 0 && <Together curve={curve} />}
      <TitledCard id="assumed" title="What was assumed">
        <p>
          Nobody knows these before the first vote. They are assumptions, and no measurements:
          compare them with the runs of each trial after a pilot.
        </p>
        <ul>
          {curve.assumed.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </TitledCard>
    </>
  );
}

interface TestProps {
  readonly test: PlannedTest;
  readonly curve: PowerCurve;
  readonly over: Over;
}

function Test({ test, curve, over }: TestProps) {
  const [what, setWhat] = useState<What>("shown");
  const chart = chartOf(test, curve.participants, over, what);
  return (
    <TitledCard id={`test-${test.id}`} title={test.id}>
      <p className={look.note}>
        {counted(test.recordings, "recording")};{" "}
        {test.generalises ? "about other losses of the same path too" : "about these alone"}
        {test.smallest_effect !== null &&
          `; matters from ${saidEffect(test, test.null_value + test.smallest_effect)}`}
      </p>
      {!test.generalises && (
        <Notice tone="warn">
          <p>
            With so few recordings nothing can be said about other losses, however many take part:
            the study’s file needs more <code>runs</code>.
          </p>
        </Notice>
      )}
      {test.smallest_effect !== null && (
        <Row>
          <Segments name={`What of ${test.id}`} options={WHAT} chosen={what} onChoose={setWhat} />
        </Row>
      )}
      <PowerChart
        {...chart}
        wanted={WANTED}
        label={`${test.id}: share of studies in which ${WHAT[what].toLowerCase()}, ${OVER[over].toLowerCase()}. The numbers are in the table below.`}
      />
      <Numbers test={test} participants={curve.participants} what={what} />
    </TitledCard>
  );
}

interface NumbersProps {
  readonly test: PlannedTest;
  readonly participants: readonly number[];
  readonly what: What;
}

function Numbers({ test, participants, what }: NumbersProps) {
  const effects = [...new Set(test.points.map(({ effect }) => effect))];
  const columns: readonly Column<number>[] = [
    { title: "Effect", value: (effect) => saidEffect(test, effect) },
    ...participants.map((size) => ({
      title: counted(size, "participant"),
      value: (effect: number) => {
        const point = test.points.find((one) => one.effect === effect && one.participants === size);
        const share = what === "shown" ? point?.shown : point?.none_that_matters;
        if (!share) return "–";
        return (
          <>
            {percent(round(share.value))}{" "}
            <span className={look.note}>
              {Math.round(100 * share.low)}–{Math.round(100 * share.high)}
            </span>
          </>
        );
      },
    })),
  ];
  return (
    <Records
      label={`${test.id}: ${WHAT[what].toLowerCase()}`}
      caption={`${WHAT[what]}: share of studies, with what the simulation leaves open (95 %)`}
      rows={effects}
      columns={columns}
      keyOf={(effect) => effect}
    />
  );
}

const round = (share: number) => Math.round(share * 1000) / 1000;

function Together({ curve }: { readonly curve: PowerCurve }) {
  const sizes = [...new Set(curve.together.map(({ size }) => size))];
  const looked = curve.together.some(({ stopped }) => stopped !== null);
  const at = (size: number, participants: number) =>
    curve.together.find((one) => one.size === size && one.participants === participants);
  const columns: readonly Column<number>[] = [
    { title: "Effects", value: (size) => (size === 0 ? "none" : `size ${size}`) },
    ...curve.participants.map((participants) => ({
      title: counted(participants, "participant"),
      value: (size: number) => {
        const point = at(size, participants);
        if (!point) return "–";
        return (
          <>
            {percent(round(point.shown.value))}
            {point.stopped && (
              <span className={look.note}>
                {" "}
                stops early in {percent(round(point.stopped.value))}, with{" "}
                {point.participants_mean.toFixed(0)} on average
              </span>
            )}
          </>
        );
      },
    })),
  ];
  const title =
    curve.tests.length === 1
      ? "With looks before the end"
      : `${curve.rule === "all" ? "All" : "At least one"} of them`;
  return (
    <TitledCard id="together" title={title}>
      {looked && (
        <p>
          A study that crosses a boundary at a look stops there: fewer take part, on average, where
          there is an effect.
        </p>
      )}
      <Records
        label={title}
        caption="Share of studies; each hypothesis has its effect of this size at once"
        rows={sizes}
        columns={columns}
        keyOf={(size) => size}
      />
    </TitledCard>
  );
}
