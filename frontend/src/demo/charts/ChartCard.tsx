// What every chart has around it: its heading, its choices, its files, its legend,
// and its figures as a table.
// SPDX-License-Identifier: Apache-2.0
import { type ReactNode, useId, useRef } from "react";
import { Button } from "../../design/elements";
import { pngOf, save, svgOf } from "./files";
import { Legend } from "./Legend";
import { type LegendEntry, laneEntries } from "./legendEntries";
import type { Painting } from "./painting";
import { palette } from "./palette";
import { plateOf } from "./plate";
import { Surface } from "./Surface";
import type { ChartProps } from "./usePainting";

interface ChartCardProps {
  readonly chart: ChartProps;
  readonly title: string;
  readonly painting: Painting;
  readonly height_px: number;
  /** What is seen, for who does not see it. */
  readonly label: string;
  readonly choices?: ReactNode;
  /** What its marks mean, beside the lanes' colours and dashes. */
  readonly legend: readonly LegendEntry[];
  /** Whether the picture itself does not say which lane is which. */
  readonly laneLegend?: boolean;
  readonly table?: ReactNode;
  /** Instead of the bare canvas, for a chart that can be asked. */
  readonly surface?: ReactNode;
  readonly children?: ReactNode;
}

export function ChartCard(props: ChartCardProps) {
  const { chart, title, painting, height_px, label, choices, table, surface, children } = props;
  const { legend, laneLegend = true } = props;
  const heading = useId();
  const place = useRef<HTMLElement>(null);
  const size = () => {
    const canvas = place.current?.querySelector("canvas");
    // As many of its own pixels as it has on the page, where they may be larger.
    const width = canvas ? (canvas.clientWidth * height_px) / canvas.clientHeight : 1200;
    return { width: Math.round(width), height: height_px };
  };
  const plate = () => plateOf(chart, { title, painting, legend }, size());
  const name = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section className="card demo-chart" aria-labelledby={heading} ref={place}>
      <div className="row spread">
        <h3 id={heading}>{title}</h3>
        <div className="row demo-choices">
          {choices}
          <span className="row demo-files">
            <Button
              quiet
              slim
              aria-label={`${title} as PNG`}
              onClick={async () => save(await pngOf(plate(), palette()), `${name}.png`)}
            >
              PNG
            </Button>
            <Button
              quiet
              slim
              aria-label={`${title} as SVG`}
              onClick={() => {
                const text = svgOf(plate(), palette());
                save(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`);
              }}
            >
              SVG
            </Button>
          </span>
        </div>
      </div>
      {surface ?? (
        <Surface painting={painting} height_px={height_px} role="img" aria-label={label} />
      )}
      <Legend entries={[...(laneLegend ? laneEntries(chart.lanes) : []), ...legend]} />
      {children}
      {table && (
        <details>
          <summary>Figures as a table</summary>
          {table}
        </details>
      )}
    </section>
  );
}
