// How packets wait for a direction's rate, and whether the queue marks them.
// SPDX-License-Identifier: Apache-2.0
import type { Direction, QueueDiscipline as Discipline } from "../../api/generated";
import { pathTerms, queueDisciplineTerms } from "../../api/generatedTerms";
import { Check, Field, SelectOne } from "../../design/Field";
import look from "../../design/look.module.css";
import { marks, withQueue } from "./withQueue";

interface QueueDisciplineProps {
  readonly direction: Direction;
  readonly inForce: Direction;
  readonly disabled: boolean;
  readonly onApply: (direction: Direction) => void;
}

const SHARED = "with those that are delayed";
const OPTIONS = [
  ["", SHARED],
  ...Object.entries(queueDisciplineTerms).map(([name, { title }]) => [name, title] as const),
] as readonly (readonly [Discipline | "", string])[];

export function QueueDiscipline(props: QueueDisciplineProps) {
  const { direction, inForce, disabled, onApply } = props;
  const waits = direction.queue_discipline !== inForce.queue_discipline && (
    <span className={look.waiting}>on its way…</span>
  );
  return (
    <>
      <Field label={pathTerms.queue_discipline.title} small note={waits}>
        {(id) => (
          <SelectOne
            id={id}
            slim
            disabled={disabled}
            options={OPTIONS}
            chosen={direction.queue_discipline ?? ""}
            onChoose={(chosen) =>
              onApply(withQueue(direction, { queue_discipline: chosen || null }))
            }
          />
        )}
      </Field>
      {marks(direction) && (
        <Check className={look.small}>
          <input
            type="checkbox"
            checked={direction.ecn}
            disabled={disabled}
            onChange={(event) => onApply({ ...direction, ecn: event.target.checked })}
          />
          {pathTerms.ecn.title}
        </Check>
      )}
    </>
  );
}
