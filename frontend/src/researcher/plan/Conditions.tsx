// The study's conditions side by side.
// SPDX-License-Identifier: Apache-2.0

import type { StudyOverview } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import { type Column, Records } from "../../design/Table";

type Named = readonly [name: string, condition: StudyOverview["conditions"][string]];

const COLUMNS: readonly Column<Named>[] = [
  { title: "Name", value: ([name]) => name },
  { title: "Mode", value: ([, { mode }]) => mode },
  { title: "Sender", value: ([, { sender }]) => sender },
  { title: "To the receiver", value: ([, { there }]) => there },
  { title: "Back", value: ([, { back }]) => back },
];

export function Conditions({ conditions }: Pick<StudyOverview, "conditions">) {
  return (
    <TitledCard id="conditions" title="Conditions">
      <Records
        label="Table of conditions"
        rows={Object.entries(conditions)}
        keyOf={([name]) => name}
        columns={COLUMNS}
      />
    </TitledCard>
  );
}
