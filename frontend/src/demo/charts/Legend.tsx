// A chart's legend on the page, drawn by what draws it into files.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { createElement } from "react";
import legend from "../../charts/legend.module.css";
import { SvgPen } from "../../charts/svgPen";
import look from "../../design/look.module.css";
import styles from "./Legend.module.css";
import { type LegendEntry, SAMPLE } from "./legendEntries";
import { VARIABLES } from "./palette";

export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <p data-testid="legend" className={clsx(legend.legend, look.small)}>
      {entries.map((entry) =>
        entry.sample ? (
          <span key={entry.text}>
            <Sample entry={entry} />
            {entry.text}
          </span>
        ) : (
          <span key={entry.text} className={look.soft}>
            {entry.text}
          </span>
        ),
      )}
    </p>
  );
}

function Sample({ entry }: { readonly entry: LegendEntry }) {
  const svg = new SvgPen(SAMPLE, () => 0);
  entry.sample?.(svg.pen, VARIABLES);
  return (
    <svg
      className={styles.sample}
      viewBox={`0 0 ${SAMPLE.width} ${SAMPLE.height}`}
      aria-hidden="true"
    >
      {svg.parts.map(({ name, attributes }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sample is always drawn in the same order
        <Part key={place} name={name} attributes={attributes} />
      ))}
    </svg>
  );
}

interface PartProps {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** By the names that React has for attributes. */
function Part({ name, attributes }: PartProps) {
  const named = Object.entries(attributes).map(([key, value]) => [
    key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return createElement(name, Object.fromEntries(named));
}
