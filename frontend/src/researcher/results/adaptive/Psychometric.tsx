// The psychometric function over the levels: a dot a level, as large as it has votes, the typical
// listener's curve, and the threshold in its interval. All numbers are in the tables as well.
// SPDX-License-Identifier: Apache-2.0

import type { StaircaseFindings } from "../../../api/generated";
import { Axes, Curve, Dots, Threshold } from "../../../charts/Axes";
import { counted } from "../../../staff/format";
import { place, saidLevel, TITLES } from "./levels";

/** Shares of right answers that are drawn: fewer than by guessing are noise, and still seen. */
const LEAST_SHARE = 0.3;
const TICKS = [0.5, 0.75, 1] as const;

const up = (share: number): number =>
  Math.max(0, (100 * (share - LEAST_SHARE)) / (1.05 - LEAST_SHARE));

export function Psychometric({ found }: { readonly found: StaircaseFindings }) {
  const { levels, quantity, group, curve } = found;
  const values = levels.map(({ level }) => level);
  const [least, most] = [Math.min(...values) / 2, Math.max(...values) * 2];
  const x = (level: number) => place(level, least, most);
  const heard = levels.filter(({ votes }) => votes > 0);
  return (
    <Axes
      label={`Share of right answers over ${TITLES[quantity].toLowerCase()}, ${counted(heard.length, "level")}; all numbers are in the tables below`}
      up={{
        title: "Right answers",
        ticks: TICKS.map((tick) => ({ at: up(tick), says: `${Math.round(100 * tick)} %` })),
      }}
      right={{
        title: TITLES[quantity],
        ticks: values.map((level) => ({ at: x(level), says: saidLevel(quantity, level) })),
      }}
    >
      {group && <Threshold from={x(group.low)} at={x(group.threshold)} to={x(group.high)} />}
      <Curve
        title="The typical listener’s curve"
        places={curve.map(({ level, share }) => ({ x: x(level), y: up(share) }))}
      />
      <Dots
        dots={heard.map(({ level, votes, right }) => ({
          key: String(level),
          x: x(level),
          y: up(right / votes),
          votes,
        }))}
      />
    </Axes>
  );
}
