// The strip of sound: what the receiver's playout did, on the ladder's axis of time.
// SPDX-License-Identifier: Apache-2.0
import { ChartCard } from "./ChartCard";
import { soundHeight } from "./drawSound";
import { StateTable } from "./FiguresTable";
import { SOUND_ROWS } from "./figures";
import { SoundLegend } from "./Legends";
import { timePainting } from "./painting";
import { soundPicture } from "./pictures";
import { type ChartProps, useLaneCount, usePainting } from "./usePainting";

export function SoundChart(props: ChartProps) {
  const { view, lanes } = props;
  const painting = usePainting(props, {}, (own, settings) =>
    timePainting(own, soundPicture(own, settings)),
  );
  return (
    <ChartCard
      title="Sound"
      painting={painting}
      height_px={soundHeight(Math.max(1, useLaneCount(view)))}
      label="Gaps, changes of speed and the sound in store of each lane; the table has its figures"
      legend={<SoundLegend />}
      table={
        <StateTable
          view={view}
          lanes={lanes}
          rows={SOUND_ROWS}
          of={({ playout }) => playout}
          caption="Sound of the take, figures"
        />
      }
    />
  );
}
