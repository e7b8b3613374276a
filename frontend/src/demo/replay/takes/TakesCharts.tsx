// The charts of several takes.
// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef, useState } from "react";
import type { DemoTakeRecord } from "../../../api/generated";
import type { Pen, Size } from "../../../charts/pen";
import { useCdfChoice } from "../../charts/CdfChart";
import { PictureCard } from "../../charts/ChartCard";
import { Choice } from "../../charts/Choice";
import { CDF_PX, drawCurves } from "../../charts/drawCdf";
import { takesFileName } from "../../charts/fileName";
import { fixedPainting, type Painting } from "../../charts/painting";
import type { Palette } from "../../charts/palette";
import { SCALES, type ScaleName } from "../../charts/scaleChoice";
import { DELAYS_PX, drawDelays } from "./drawDelays";
import { curvesOf, entriesOf, type Line } from "./lines";

interface About {
  /** The demo's. */
  readonly title: string;
  readonly takes: readonly DemoTakeRecord[];
  readonly lines: readonly Line[];
}

interface TakesChartProps {
  readonly about: About;
}

export function TakesCdf({ about }: TakesChartProps) {
  const [choice, choices] = useCdfChoice();
  const curves = curvesOf(about.lines, choice.of, choice.weighted);
  const painting = useFixed({ curves, choice }, ({ curves, choice }, pen, size, palette) =>
    drawCurves(pen, curves, choice, "Nothing was measured in these takes.", size, palette),
  );
  return (
    <TakesCard
      about={about}
      title="Distribution of latency, take by take"
      painting={painting}
      height_px={CDF_PX}
      label="Shares of messages by latency, of each lane of each chosen take; the table below has the figures"
      choices={choices}
    />
  );
}

export function TakesDelays({ about }: TakesChartProps) {
  const [scale, setScale] = useState<ScaleName>("logarithmic");
  const model = { lines: about.lines, logarithmic: scale === "logarithmic" };
  const painting = useFixed(model, (model, pen, size, palette) =>
    drawDelays(pen, model, size, palette),
  );
  return (
    <TakesCard
      about={about}
      title="Latency over time, take by take"
      painting={painting}
      height_px={DELAYS_PX}
      label="The longest latency of each stretch of each lane of each chosen take, from the take's beginning; the table below has the figures"
      choices={<Choice name="Scale" options={SCALES} chosen={scale} onChoose={setScale} />}
    />
  );
}

interface TakesCardProps
  extends Omit<Parameters<typeof PictureCard>[0], "legend" | "plate" | "named"> {
  readonly about: About;
}

function TakesCard({ about, ...props }: TakesCardProps) {
  const { title, painting } = props;
  const legend = entriesOf(about.lines);
  const numbers = about.takes.map(({ number }) => number);
  return (
    <PictureCard
      {...props}
      legend={legend}
      named={(kind) => takesFileName(about.title, title, numbers, kind)}
      plate={(size) => ({
        title,
        picture: { ...size, draw: (pen, palette) => painting.draw(pen, size, palette) },
        axis: null,
        legend,
        caption: [
          `Thinlab: ${about.title}.`,
          ...about.takes.map(
            ({ number, words }) =>
              `Take ${number} began with path ${words.path_in_full}; stream ${words.stream}.`,
          ),
        ],
      })}
    />
  );
}

/** Drawn anew when the model is another. */
function useFixed<Model extends object>(
  model: Model,
  draw: (model: Model, pen: Pen, size: Size, palette: Palette) => void,
): Painting {
  const current = useRef({ model, draw, version: 0 });
  const told = JSON.stringify(model);
  const before = useRef(told);
  if (before.current !== told) {
    before.current = told;
    current.current.version += 1;
  }
  Object.assign(current.current, { model, draw });
  return useMemo(
    () =>
      fixedPainting(
        () => String(current.current.version),
        (pen, size, palette) => current.current.draw(current.current.model, pen, size, palette),
      ),
    [],
  );
}
