// The members' latency distributions: which layer, weighted how, on what axes.
// SPDX-License-Identifier: Apache-2.0

import { useMemo, useState } from "react";
import type { LatencyDistribution } from "../../../api/generated";
import {
  latencyDistributionTerms,
  latencyTerms,
  traceMetricsTerms,
} from "../../../api/generatedTerms";
import { LatencyChart } from "../../../charts/LatencyChart";
import { Beside } from "../../../design/Beside";
import { Segments } from "../../../design/Segments";
import { Stack } from "../../../design/Stack";
import { Records } from "../../../design/Table";
import { milliseconds } from "../../../staff/format";
import { UPPER_PERCENTILES } from "../../../staff/percentiles";
import styles from "./Latencies.module.css";
import type { Measured } from "./once";

const LAYERS = {
  application: traceMetricsTerms.application.title,
  transport: traceMetricsTerms.transport.title,
} as const;
const WEIGHTS = {
  per_message: latencyTerms.per_message.title,
  per_byte: latencyTerms.per_byte.title,
} as const;
const AXES = { logarithmic: "Logarithmic", linear: "Linear" } as const;
const RANGES = { tail: "Slowest fifth", all: "All" } as const;

export function Latencies({ members }: { readonly members: readonly Measured[] }) {
  const [layer, setLayer] = useState<keyof typeof LAYERS>("application");
  const [weight, setWeight] = useState<keyof typeof WEIGHTS>("per_message");
  const [axis, setAxis] = useState<keyof typeof AXES>("logarithmic");
  const [range, setRange] = useState<keyof typeof RANGES>("tail");
  const rows = useMemo(
    () => members.map(({ name, result }) => ({ name, latency: result.metrics[layer][weight] })),
    [members, layer, weight],
  );
  const curves = useMemo(
    () => rows.map(({ name, latency }) => ({ name, points: latency.cdf ?? [] })),
    [rows],
  );
  const scales = useMemo(
    () => ({ logarithmic: axis === "logarithmic", tail: range === "tail" }),
    [axis, range],
  );
  const label = `Distribution of ${LAYERS[layer].toLowerCase()}, ${WEIGHTS[weight].toLowerCase()}; the table below gives its numbers`;
  return (
    <Stack gap={5}>
      <div className={styles.toggles}>
        <Segments name="Layer" options={LAYERS} chosen={layer} onChoose={setLayer} />
        <Segments name="Weight" options={WEIGHTS} chosen={weight} onChoose={setWeight} />
        <Segments name="Axis" options={AXES} chosen={axis} onChoose={setAxis} />
        <Segments name="Range" options={RANGES} chosen={range} onChoose={setRange} />
      </div>
      <Beside className={styles.chartAndNumbers}>
        <LatencyChart curves={curves} scales={scales} label={label} />
        <Percentiles rows={rows} />
      </Beside>
    </Stack>
  );
}

const PERCENTILES = ["min_us", ...UPPER_PERCENTILES] as const;

interface PercentilesProps {
  readonly rows: readonly { readonly name: string; readonly latency: LatencyDistribution }[];
}

function Percentiles({ rows }: PercentilesProps) {
  return (
    <Records
      label="Percentiles of latency"
      rows={PERCENTILES}
      keyOf={(field) => field}
      columns={[
        { title: null, value: (field) => latencyDistributionTerms[field].title },
        ...rows.map(({ name, latency }) => ({
          title: name,
          value: (field: (typeof PERCENTILES)[number]) => milliseconds(latency[field]),
        })),
      ]}
    />
  );
}
