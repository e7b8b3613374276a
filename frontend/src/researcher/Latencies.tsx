// The members' latency distributions: which layer, weighted how, on what axes.
// SPDX-License-Identifier: Apache-2.0
import { useId, useMemo, useState } from "react";
import type { LatencyDistribution, RecordingOverview, SessionResult } from "../api/generated";
import { LatencyChart } from "../charts/LatencyChart";
import { milliseconds } from "./format";
import { nameOf } from "./TrialCard";

const LAYERS = { application: "Application layer", transport: "Transport layer" } as const;
const WEIGHTS = { per_message: "By messages", per_byte: "By bytes" } as const;
const AXES = { logarithmic: "Logarithmic", linear: "Linear" } as const;
const RANGES = { tail: "Slowest fifth", all: "All" } as const;

interface Member {
  readonly name: string;
  readonly result: SessionResult;
}

export function Latencies({ recordings }: { readonly recordings: readonly RecordingOverview[] }) {
  const members = recordings.flatMap((recording) =>
    recording.result ? [{ name: nameOf(recording), result: recording.result }] : [],
  );
  return members.length > 0 ? <Curves members={members} /> : null;
}

function Curves({ members }: { readonly members: readonly Member[] }) {
  const [layer, setLayer] = useState<keyof typeof LAYERS>("application");
  const [weight, setWeight] = useState<keyof typeof WEIGHTS>("per_message");
  const [axis, setAxis] = useState<keyof typeof AXES>("logarithmic");
  const [range, setRange] = useState<keyof typeof RANGES>("tail");
  // A poll brings the same numbers in new objects; the chart is drawn anew only
  // when a number has changed.
  const key = JSON.stringify(members.map((member) => [member.name, member.result.metrics]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `members`
  const rows = useMemo(
    () => members.map(({ name, result }) => ({ name, latency: result.metrics[layer][weight] })),
    [key, layer, weight],
  );
  const curves = useMemo(
    () => rows.map(({ name, latency }) => ({ name, points: latency.cdf ?? [] })),
    [rows],
  );
  const scales = useMemo(
    () => ({ logarithmic: axis === "logarithmic", tail: range === "tail" }),
    [axis, range],
  );
  const label = `Distribution of latency, ${LAYERS[layer].toLowerCase()}, ${WEIGHTS[weight].toLowerCase()}; the table below gives its numbers`;
  return (
    <div className="latencies">
      <div className="toggles">
        <Toggle name="Layer" options={LAYERS} chosen={layer} onChoose={setLayer} />
        <Toggle name="Weight" options={WEIGHTS} chosen={weight} onChoose={setWeight} />
        <Toggle name="Axis" options={AXES} chosen={axis} onChoose={setAxis} />
        <Toggle name="Range" options={RANGES} chosen={range} onChoose={setRange} />
      </div>
      <div className="chart-and-numbers">
        <LatencyChart curves={curves} scales={scales} label={label} />
        <Percentiles rows={rows} />
      </div>
    </div>
  );
}

interface ToggleProps<Key extends string> {
  readonly name: string;
  readonly options: Readonly<Record<Key, string>>;
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}

function Toggle<Key extends string>({ name, options, chosen, onChoose }: ToggleProps<Key>) {
  const group = useId();
  return (
    <fieldset className="toggle small">
      <legend className="visually-hidden">{name}</legend>
      {(Object.keys(options) as Key[]).map((key) => (
        <label key={key}>
          <input
            type="radio"
            className="visually-hidden"
            name={group}
            checked={key === chosen}
            onChange={() => onChoose(key)}
          />
          <span>{options[key]}</span>
        </label>
      ))}
    </fieldset>
  );
}

const PERCENTILES = [
  ["min", "min_us"],
  ["p50", "p50_us"],
  ["p90", "p90_us"],
  ["p95", "p95_us"],
  ["p98", "p98_us"],
  ["p99", "p99_us"],
  ["p99.9", "p999_us"],
  ["max", "max_us"],
] as const satisfies readonly (readonly [string, keyof LatencyDistribution])[];

interface PercentilesProps {
  readonly rows: readonly { readonly name: string; readonly latency: LatencyDistribution }[];
}

function Percentiles({ rows }: PercentilesProps) {
  return (
    <table className="numbers">
      <caption className="visually-hidden">Percentiles of latency</caption>
      <thead>
        <tr>
          <td />
          {rows.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {PERCENTILES.map(([percentile, field]) => (
          <tr key={percentile}>
            <th scope="row">{percentile}</th>
            {rows.map(({ name, latency }) => (
              <td key={name}>{milliseconds(latency[field])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
