// The psychometric function over the levels: a dot a level, as large as it has votes, the typical
// listener's curve, and the threshold in its interval. All numbers are in the tables as well.
// SPDX-License-Identifier: Apache-2.0

import type { StaircaseFindings } from "../../../api/generated";
import { counted } from "../../../staff/format";
import styles from "./Adaptive.module.css";
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
  const mostVotes = Math.max(...heard.map(({ votes }) => votes));
  return (
    <div
      className={styles.figure}
      role="img"
      aria-label={`Share of right answers over ${TITLES[quantity].toLowerCase()}, ${counted(heard.length, "level")}; all numbers are in the tables below`}
    >
      <p>Right answers</p>
      <div className={styles.body}>
        <div className={styles.values}>
          {TICKS.map((tick) => (
            <span key={tick} style={{ bottom: `${up(tick)}%` }}>
              {Math.round(100 * tick)} %
            </span>
          ))}
        </div>
        <div className={styles.plot}>
          {TICKS.map((tick) => (
            <span key={tick} className={styles.line} style={{ bottom: `${up(tick)}%` }} />
          ))}
          {group && (
            <>
              <span
                className={styles.interval}
                style={{ left: `${x(group.low)}%`, width: `${x(group.high) - x(group.low)}%` }}
              />
              <span className={styles.threshold} style={{ left: `${x(group.threshold)}%` }} />
            </>
          )}
          {curve.length > 0 && (
            <svg className={styles.curve} viewBox="0 0 100 100" preserveAspectRatio="none">
              <title>The typical listener’s curve</title>
              <polyline
                points={curve.map(({ level, share }) => `${x(level)},${100 - up(share)}`).join(" ")}
              />
            </svg>
          )}
          {heard.map(({ level, votes, right }) => {
            // As large in area as it has votes.
            const size = `${0.4 + 0.7 * Math.sqrt(votes / mostVotes)}rem`;
            return (
              <span
                key={level}
                className={styles.dot}
                style={{
                  left: `${x(level)}%`,
                  bottom: `${up(right / votes)}%`,
                  width: size,
                  height: size,
                }}
              />
            );
          })}
        </div>
        <div className={styles.levels}>
          {values.map((level) => (
            <span key={level} style={{ left: `${x(level)}%` }}>
              {saidLevel(quantity, level)}
            </span>
          ))}
        </div>
      </div>
      <p className={styles.right}>{TITLES[quantity]}</p>
    </div>
  );
}
