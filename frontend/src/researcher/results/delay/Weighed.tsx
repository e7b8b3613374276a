// How much of one metric people put up with for less of another: in a sentence, in a plot that can
// be taken away, and pair by pair, or recording by recording, in a table.
// SPDX-License-Identifier: Apache-2.0

import type { RatedPoint, WeighedFindings, WeighedPoint } from "../../../api/generated";
import look from "../../../design/look.module.css";
import { type Column, Records } from "../../../design/Table";
import { PictureFiles } from "../PictureFiles";
import { WeighedPlot } from "./WeighedPlot";
import { axesOf, isRated, placesOf } from "./weighed";
import { weighedPicture } from "./weighedPicture";
import { weighedNote, weighedTitle } from "./weighedWords";

interface WeighedProps {
  readonly block: string;
  readonly found: WeighedFindings;
  readonly confidence: number;
}

export function Weighed({ block, found, confidence }: WeighedProps) {
  const title = weighedTitle(block, found);
  const note = weighedNote(found, confidence);
  return (
    <>
      <p>{found.sentence}</p>
      {placesOf(found).length > 0 && (
        <>
          <WeighedPlot found={found} />
          <p className={look.note}>{note}</p>
          <PictureFiles title={title} picture={() => weighedPicture({ title, note, found })} />
          {isRated(found) ? (
            <RatedTable title={title} found={found} />
          ) : (
            <PairTable title={title} found={found} />
          )}
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly title: string;
  readonly found: WeighedFindings;
}

function PairTable({ title, found }: TableProps) {
  const { right, up } = axesOf(found);
  const columns: readonly Column<WeighedPoint>[] = [
    { title: "Trial", value: ({ trial_id }) => trial_id },
    { title: "Run", value: ({ run }) => run + 1 },
    { title: right.title, value: ({ other_apart }) => right.say(other_apart) },
    { title: up.title, value: ({ apart }) => up.say(apart) },
    { title: "Votes for a", value: ({ votes_a }) => votes_a },
    { title: "Votes for b", value: ({ votes_b }) => votes_b },
    { title: "No difference", value: ({ votes_none }) => votes_none },
  ];
  return (
    <details>
      <summary>Pair by pair</summary>
      <Records
        label={`${title}, pair by pair`}
        rows={found.points}
        columns={columns}
        keyOf={({ trial_id, run }) => `${trial_id} ${run}`}
      />
    </details>
  );
}

function RatedTable({ title, found }: TableProps) {
  const { right, up } = axesOf(found);
  const columns: readonly Column<RatedPoint>[] = [
    { title: "Trial", value: ({ trial_id }) => trial_id },
    { title: "Run", value: ({ run }) => run + 1 },
    { title: right.title, value: ({ other_value }) => right.say(other_value) },
    { title: up.title, value: ({ value }) => up.say(value) },
    { title: "Votes", value: ({ votes }) => votes },
    { title: "Mean", value: ({ score }) => score.toFixed(2) },
  ];
  return (
    <details>
      <summary>Recording by recording</summary>
      <Records
        label={`${title}, recording by recording`}
        rows={found.rated}
        columns={columns}
        keyOf={({ trial_id, run }) => `${trial_id} ${run}`}
      />
    </details>
  );
}
