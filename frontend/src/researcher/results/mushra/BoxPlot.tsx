// A box plot: one row a condition, or a condition with one clip. For who cannot see it each row
// says its figures.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { BesideFindings } from "../../../api/generated";
import look from "../../../design/look.module.css";
import { counted } from "../../../staff/format";
import forest from "../Forest.module.css";
import { PictureFiles } from "../PictureFiles";
import type { Scale } from "../scale";
import styles from "./BoxPlot.module.css";
import { boxPicture, detailOf, labelOf, spreadOf } from "./boxPicture";

interface BoxPlotProps {
  /** Of the picture, where it leaves the page. */
  readonly title: string;
  readonly scale: Scale;
  readonly rows: readonly BesideFindings[];
  readonly ends: readonly [string, string];
}

export function BoxPlot({ title, scale, rows, ends }: BoxPlotProps) {
  return (
    <div className={forest.forest}>
      <ol>
        {rows.map((row) => (
          <li
            key={`${row.condition} ${row.clip ?? ""}`}
            className={clsx(row.clip === null && forest.strong)}
          >
            <div className={forest.label}>
              <span>{labelOf(row)}</span>
              <span className={look.note}>{detailOf(row)}</span>
            </div>
            <Box scale={scale} row={row} />
            <div className={forest.value} aria-hidden="true">
              <strong>{scale.say(row.median)}</strong>{" "}
              <span className={look.note}>{spreadOf(scale, row)}</span>
            </div>
            <p className={look.spoken}>
              Median {scale.say(row.median)}, quartiles {spreadOf(scale, row)};{" "}
              {counted(row.beyond.length, "score")} beyond the whiskers.
            </p>
          </li>
        ))}
      </ol>
      <div className={forest.axis} aria-hidden="true">
        <span className={forest.ticks}>
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ left: `${scale.at(tick)}%` }}>
              {scale.say(tick)}
            </span>
          ))}
        </span>
        <span className={clsx(forest.ends, look.note)}>
          <span>← {ends[0]}</span>
          <span>{ends[1]} →</span>
        </span>
      </div>
      <PictureFiles title={title} picture={() => boxPicture({ title, scale, rows, ends })} />
    </div>
  );
}

function Box({ scale, row }: { readonly scale: Scale; readonly row: BesideFindings }) {
  const between = (from: number, to: number) => ({
    left: `${scale.at(from)}%`,
    width: `${scale.at(to) - scale.at(from)}%`,
  });
  return (
    <div className={forest.plot} aria-hidden="true">
      {scale.ticks.map((tick) => (
        <span key={tick} className={forest.grid} style={{ left: `${scale.at(tick)}%` }} />
      ))}
      <span className={styles.whisker} style={between(row.lower_whisker, row.upper_whisker)} />
      <span className={styles.box} style={between(row.lower_quartile, row.upper_quartile)} />
      <span className={styles.median} style={{ left: `${scale.at(row.median)}%` }} />
      {[...new Set(row.beyond)].map((score) => (
        <span key={score} className={styles.beyond} style={{ left: `${scale.at(score)}%` }} />
      ))}
    </div>
  );
}
