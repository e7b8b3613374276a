// What every chart has around it: its heading, its choices, its files, its legend,
// and its figures as a table.
// SPDX-License-Identifier: Apache-2.0

import { type ReactNode, useId, useRef } from "react";
import type { Size } from "../../charts/pen";
import { pngOf, save, svgOf } from "../../charts/pictureFiles";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import { Row } from "../../design/Row";
import styles from "./ChartCard.module.css";
import { fileName } from "./fileName";
import { pictureOf } from "./files";
import { Legend } from "./Legend";
import { type LegendEntry, laneEntries } from "./legendEntries";
import type { Painting } from "./painting";
import { palette } from "./palette";
import { type Plate, plateOf } from "./plate";
import { Surface } from "./Surface";
import type { ChartProps } from "./usePainting";

interface PictureProps {
  readonly title: string;
  readonly painting: Painting;
  readonly height_px: number;
  /** What is seen, for who does not see it. */
  readonly label: string;
  readonly choices?: ReactNode;
  readonly legend: readonly LegendEntry[];
  readonly table?: ReactNode;
  /** Instead of the bare canvas, for a chart that can be asked. */
  readonly surface?: ReactNode;
  readonly children?: ReactNode;
}

interface ChartCardProps extends PictureProps {
  readonly chart: ChartProps;
  /** What its marks mean, beside the lanes' colours and dashes. */
  readonly legend: readonly LegendEntry[];
  /** Whether the picture itself does not say which lane is which. */
  readonly laneLegend?: boolean;
}

export function ChartCard({ chart, legend, laneLegend = true, ...props }: ChartCardProps) {
  const { title, painting } = props;
  return (
    <PictureCard
      {...props}
      legend={[...(laneLegend ? laneEntries(chart.lanes) : []), ...legend]}
      plate={(size) => plateOf(chart, { title, painting, legend }, size)}
      named={(kind) => fileName(chart, title, kind)}
    />
  );
}

interface PictureCardProps extends PictureProps {
  /** The picture as it leaves the page, and what it is called then. */
  readonly plate: (size: Size) => Plate;
  readonly named: (kind: string) => string;
}

export function PictureCard(props: PictureCardProps) {
  const { title, painting, height_px, label, choices, table, surface, children } = props;
  const { legend, plate, named } = props;
  const heading = useId();
  const place = useRef<HTMLElement>(null);
  const size = () => {
    const canvas = place.current?.querySelector("canvas");
    // As many of its own pixels as it has on the page, where they may be larger.
    const width = canvas ? (canvas.clientWidth * height_px) / canvas.clientHeight : 1200;
    return { width: Math.round(width), height: height_px };
  };
  const picture = () => pictureOf(plate(size()), palette());
  return (
    <Card className={styles.chart} data-testid="demo-chart" aria-labelledby={heading} ref={place}>
      <Row spread>
        <h3 id={heading}>{title}</h3>
        <Row className={styles.choices}>
          {choices}
          <Row as="span" className={styles.files}>
            <Button
              quiet
              slim
              aria-label={`${title} as PNG`}
              onClick={async () => save(await pngOf(picture()), named("png"))}
            >
              PNG
            </Button>
            <Button
              quiet
              slim
              aria-label={`${title} as SVG`}
              onClick={() => {
                const text = svgOf(picture());
                save(new Blob([text], { type: "image/svg+xml" }), named("svg"));
              }}
            >
              SVG
            </Button>
          </Row>
        </Row>
      </Row>
      {surface ?? (
        <Surface painting={painting} height_px={height_px} role="img" aria-label={label} />
      )}
      <Legend entries={legend} />
      {children}
      {table && (
        <details>
          <summary>Figures as a table</summary>
          {table}
        </details>
      )}
    </Card>
  );
}
