// A forest plot: one row a number, drawn with its interval against a common
// scale. For who cannot see it each row carries its sentence.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type ReactNode, useRef } from "react";
import type { Estimate } from "../../api/generated";
import look from "../../design/look.module.css";
import styles from "./Forest.module.css";
import { forestPicture } from "./forestPicture";
import { PictureFiles } from "./PictureFiles";
import { type Scale, saidInterval, spanOf } from "./scale";

export interface ForestRow {
  readonly id: string;
  readonly label: ReactNode;
  readonly detail: string;
  readonly strong?: boolean;
  readonly estimate: Estimate;
  /** Drawn behind: what would be too small to matter, either way from no effect. */
  readonly smallest?: number | null;
  /** Drawn beneath: how the votes spread. */
  readonly spread?: ReactNode;
}

interface ForestProps {
  /** Of the picture, where it leaves the page. */
  readonly title: string;
  readonly scale: Scale;
  readonly rows: readonly ForestRow[];
  /** What it means to lie on either side. */
  readonly ends?: readonly [string, string];
}

export function Forest({ title, scale, rows, ends }: ForestProps) {
  const place = useRef<HTMLDivElement>(null);
  const picture = () => {
    // A label can be more than text: it is called what it reads on the page.
    const labels = place.current?.querySelectorAll("[data-label]") ?? [];
    const pictured = rows.map(({ detail, estimate }, at) => ({
      label: labels[at]?.textContent ?? "",
      detail,
      estimate,
    }));
    return forestPicture({ title, scale, rows: pictured, ends: ends ?? null });
  };
  return (
    <div className={styles.forest} ref={place}>
      <ol>
        {rows.map((row) => (
          <li key={row.id} className={row.strong ? styles.strong : undefined}>
            <div className={styles.label}>
              <span data-label>{row.label}</span>
              <span className={look.note}>{row.detail}</span>
            </div>
            <Plot scale={scale} estimate={row.estimate} smallest={row.smallest ?? null} />
            <div className={styles.value} aria-hidden="true">
              {row.estimate.too_few ? (
                <span className={look.soft}>too few votes</span>
              ) : (
                <>
                  <strong>{scale.say(row.estimate.value)}</strong>{" "}
                  <span className={look.note}>{saidInterval(scale, row.estimate)}</span>
                </>
              )}
            </div>
            <p className={look.spoken}>{row.estimate.sentence}</p>
            {row.spread && <div className={styles.spread}>{row.spread}</div>}
          </li>
        ))}
      </ol>
      <div className={styles.axis} aria-hidden="true">
        <span className={styles.ticks}>
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ left: `${scale.at(tick)}%` }}>
              {scale.say(tick)}
            </span>
          ))}
        </span>
        {ends && (
          <span className={clsx(styles.ends, look.note)}>
            <span>← {ends[0]}</span>
            <span>{ends[1]} →</span>
          </span>
        )}
      </div>
      <PictureFiles title={title} picture={picture} />
    </div>
  );
}

interface PlotProps {
  readonly scale: Scale;
  readonly estimate: Estimate;
  readonly smallest: number | null;
}

function Plot({ scale, estimate, smallest }: PlotProps) {
  const { low, high, value, null_value, too_few } = estimate;
  const span = spanOf(scale, estimate);
  return (
    <div className={styles.plot} aria-hidden="true">
      {null_value !== null && smallest !== null && (
        <span className={styles.band} style={bandOf(scale, null_value, smallest)} />
      )}
      {scale.ticks.map((tick) => (
        <span key={tick} className={styles.grid} style={{ left: `${scale.at(tick)}%` }} />
      ))}
      {null_value !== null && (
        <span className={styles.null} style={{ left: `${scale.at(null_value)}%` }} />
      )}
      {!too_few && (
        <>
          <span
            className={clsx(
              styles.interval,
              low === null && styles.openLeft,
              high === null && styles.openRight,
            )}
            style={{ left: `${span.from}%`, width: `${span.to - span.from}%` }}
          />
          <span className={styles.point} style={{ left: `${scale.at(value)}%` }} />
        </>
      )}
    </div>
  );
}

function bandOf(scale: Scale, middle: number, smallest: number) {
  const from = scale.at(middle - smallest);
  return { left: `${from}%`, width: `${scale.at(middle + smallest) - from}%` };
}
