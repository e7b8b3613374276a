// Keys in a stretch of time, each as high as its glyph was late: its stages
// stacked, and what was lost of it marked.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import look from "../design/look.module.css";
import legend from "./legend.module.css";
import { Mark, type MarkShape } from "./Mark";
import { type ClockLine, LOSSES, type Loss, lossesOf, STAGES, stretches } from "./stages";
import { place, type TimeWindow, ticks } from "./timeWindow";
import styles from "./typed.module.css";

const WIDTH = 1000;
const HEIGHT = 220;
const FOOT = 22;
const HEAD = 26;
/** A number nearer to it than this would be cut. */
const EDGE = 20;

export const LOSS_SHAPES: Readonly<Record<Loss, MarkShape>> = {
  bundle: "square",
  fast: "diamond",
  timeout: "triangle",
  never: "cross",
};

interface LatencyStripProps {
  readonly keys: readonly ClockLine[];
  readonly window: TimeWindow;
  readonly at_us: number;
  /** What the height stands for. */
  readonly highest_us: number;
  readonly onSeek: (to_us: number) => void;
}

export function LatencyStrip({ keys, window, at_us, highest_us, onSeek }: LatencyStripProps) {
  const shown = keys.filter(
    ({ pressed_us }) => pressed_us >= window.from_us && pressed_us <= window.to_us,
  );
  const barWidth = Math.max(
    2.5,
    Math.min(16, place(120_000 + window.from_us, window, WIDTH) * 0.5),
  );
  const y = (latency_us: number) =>
    HEIGHT - FOOT - (latency_us / highest_us) * (HEIGHT - FOOT - HEAD);
  const latencies = ticks({ from_us: 0, to_us: highest_us }, 4);
  const lost = shown.filter((key) => lossesOf(key).length > 0).length;
  return (
    <figure className={legend.chart}>
      <Legend />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider above seeks by keys */}
      <svg
        className={styles.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Keys from ${text(window.from_us)} to ${text(window.to_us)}: ${shown.length}, with something lost: ${lost}; the table below has every key`}
        onClick={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          onSeek(
            window.from_us + ((event.clientX - left) / width) * (window.to_us - window.from_us),
          );
        }}
      >
        {latencies.map((latency_us) => (
          <line
            key={latency_us}
            className={styles.grid}
            x1={0}
            x2={WIDTH}
            y1={y(latency_us)}
            y2={y(latency_us)}
          />
        ))}
        <TimeTicks window={window} />
        {shown.map((key) => {
          const x = place(key.pressed_us, window, WIDTH);
          const parts = stretches(key);
          const top = y(Math.min(highest_us, parts.at(-1)?.to_us ?? 0));
          return (
            <g key={key.number} className={key.pressed_us <= at_us ? undefined : styles.future}>
              <title>{described(key)}</title>
              {parts.map(({ stage, from_us, to_us }) => (
                <rect
                  key={stage}
                  className={styles[`stage-${stage}`]}
                  x={x - barWidth / 2}
                  width={barWidth}
                  y={y(Math.min(highest_us, to_us))}
                  height={Math.max(0, y(from_us) - y(Math.min(highest_us, to_us)))}
                />
              ))}
              {lossesOf(key).map(({ of, by }, index) => (
                <Mark
                  key={of}
                  shape={LOSS_SHAPES[by]}
                  className={styles[`loss-${by}`]}
                  x={x}
                  y={top - 9 - index * 11}
                  size={4.2}
                />
              ))}
            </g>
          );
        })}
        {latencies.slice(1).map((latency_us) => (
          <text key={latency_us} className={styles.tick} x={4} y={y(latency_us) - 4}>
            {Math.round(latency_us / 1000)} ms
          </text>
        ))}
        <Now at_us={at_us} window={window} height={HEIGHT - FOOT} />
      </svg>
    </figure>
  );
}

function Legend() {
  return (
    <figcaption className={clsx(legend.legend, look.small)}>
      {Object.entries(STAGES).map(([stage, name]) => (
        <span key={stage}>
          <svg className={styles.keyMark} viewBox="0 0 12 12" aria-hidden="true">
            <rect className={styles[`stage-${stage}`]} width={12} height={12} rx={2} />
          </svg>
          {name}
        </span>
      ))}
      {Object.entries(LOSSES).map(([by, name]) => (
        <span key={by}>
          <svg className={styles.keyMark} viewBox="0 0 12 12" aria-hidden="true">
            <Mark
              shape={LOSS_SHAPES[by as Loss]}
              className={styles[`loss-${by}`]}
              x={6}
              y={6}
              size={4}
            />
          </svg>
          Lost: {name}
        </span>
      ))}
    </figcaption>
  );
}

interface TimeTicksProps {
  readonly window: TimeWindow;
  readonly height?: number;
}

/** Vertical lines at round instants, with their numbers at the foot. */
export function TimeTicks({ window, height = HEIGHT }: TimeTicksProps) {
  return ticks(window).map((at_us) => {
    const x = place(at_us, window, WIDTH);
    return (
      <g key={at_us}>
        <line className={styles.grid} x1={x} x2={x} y1={0} y2={height - FOOT} />
        {x > EDGE && x < WIDTH - EDGE && (
          <text className={styles.tick} x={x} y={height - 6} textAnchor="middle">
            {text(at_us)}
          </text>
        )}
      </g>
    );
  });
}

interface NowProps {
  readonly at_us: number;
  readonly window: TimeWindow;
  readonly height: number;
}

/** Where the replay is. */
export function Now({ at_us, window, height }: NowProps) {
  const x = place(at_us, window, WIDTH);
  return <line className={styles.now} x1={x} x2={x} y1={0} y2={height} />;
}

export const text = (at_us: number): string =>
  `${(at_us / 1e6).toFixed(2).replace(/\.?0+$/, "")} s`;

function described(key: ClockLine): string {
  const late = key.painted_us === null ? "never seen" : `${Math.round(key.painted_us / 1000)} ms`;
  const losses = lossesOf(key).map(({ of, by }) => `${of} lost: ${LOSSES[by]}`);
  return [`Key ${key.number}, ${late}`, ...losses].join("; ");
}
