// How a study fills, day by day.
// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from "../../api/generated";
import { day } from "../format";

const MOST_DAYS = 60;

export function Days({ monitor }: { readonly monitor: Monitor }) {
  const days = monitor.days.slice(-MOST_DAYS);
  const most = Math.max(1, ...days.map(({ joined }) => joined));
  return (
    <section className="card" aria-labelledby="days">
      <h2 id="days">By day</h2>
      {days.length === 0 && <p className="soft">Nothing yet.</p>}
      <ol className="days">
        {days.map(({ day: on, joined, completed }) => (
          <li key={on}>
            <span className="small">{day(on)}</span>
            <span className="days-bar" aria-hidden="true">
              <span className="joined" style={{ width: `${(100 * joined) / most}%` }} />
              <span className="completed" style={{ width: `${(100 * completed) / most}%` }} />
            </span>
            <span className="small soft">
              {joined} joined, {completed} completed
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
