// The numbers behind a plot of votes over delay, and P.1401's figures of each metric.
// SPDX-License-Identifier: Apache-2.0

import type {
  DelayBlock,
  DelayCurve,
  DelayFigure,
  DelayPoint,
  MetricFindings,
} from "../../../api/generated";
import look from "../../../design/look.module.css";
import { type Column, Records } from "../../../design/Table";
import { quantity } from "../../../staff/format";
import { EXACT_SHARES, type Scale, saidInterval } from "../scale";
import { delayTitle, valueScale, valueTitle } from "./delayWords";

interface PointTableProps {
  readonly block: DelayBlock;
  readonly metric: MetricFindings;
  readonly curve: DelayCurve;
}

export function PointTable({ block, metric, curve }: PointTableProps) {
  const scale = valueScale(block.scale, []);
  const columns: readonly Column<DelayPoint>[] = [
    { title: "Trial", value: ({ trial_id }) => trial_id },
    { title: "Run", value: ({ run }) => run + 1 },
    {
      title: delayTitle(block.scale, metric.title),
      value: ({ delay }) => quantity(delay, metric.unit),
    },
    { title: "Votes", value: ({ votes }) => votes },
    ...(block.scale === "preference"
      ? [{ title: "No difference", value: ({ undecided }: DelayPoint) => undecided }]
      : []),
    { title: valueTitle(block.scale), value: ({ value }) => scale.say(value) },
    { title: "Interval", value: (point) => saidInterval(scale, point) },
  ];
  return (
    <details>
      <summary>Recording by recording</summary>
      <Records
        label={`Votes over “${metric.title}”, recording by recording`}
        rows={curve.points}
        columns={columns}
        keyOf={({ trial_id, run }) => `${trial_id} ${run}`}
      />
    </details>
  );
}

const FIGURES: Scale = { ...EXACT_SHARES, say: (value) => value.toFixed(2).replace("-", "−") };

export function AccuracyTable({ block }: { readonly block: DelayBlock }) {
  const { metrics, scale } = block;
  const error = scale === "preference" ? EXACT_SHARES : FIGURES;
  const columns: readonly Column<MetricFindings>[] = [
    { title: "Metric", value: ({ title }) => title },
    { title: "RMSE", value: ({ accuracy }) => said(error, accuracy?.rmse) },
    { title: "RMSE*", value: ({ accuracy }) => said(error, accuracy?.rmse_star) },
    { title: "Correlation", value: ({ accuracy }) => said(FIGURES, accuracy?.correlation) },
    { title: "Outliers", value: ({ accuracy }) => said(EXACT_SHARES, accuracy?.outliers) },
    { title: "Recordings", value: ({ accuracy }) => accuracy?.recordings ?? "–" },
    {
      title: "Remark",
      value: ({ accuracy, refused }) =>
        refused ?? (accuracy?.no_worse ? "best, or not significantly worse" : null),
    },
  ];
  return (
    <details>
      <summary>How well each metric predicts</summary>
      <p className={look.note}>
        Each recording is predicted by what was fitted to the votes on others (ITU-T P.1401). To
        RMSE* an error counts as far as it leads outside of the interval of a recording’s own votes;
        an outlier is predicted outside of it.
      </p>
      <Records
        label="How well each metric predicts recordings that it was not fitted to"
        rows={metrics}
        columns={columns}
        keyOf={({ name }) => name}
      />
    </details>
  );
}

function said(scale: Scale, figure: DelayFigure | null | undefined): string {
  if (!figure) return "–";
  return `${scale.say(figure.value)} (${saidInterval(scale, figure)})`;
}
