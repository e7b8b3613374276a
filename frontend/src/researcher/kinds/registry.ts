// Every kind of trial, and which of them a study has: each folder beside this file is one.
// SPDX-License-Identifier: Apache-2.0
import type { Block, StudyOverview } from "../../api/generated";
import type { Kind } from "./kind";

const files = import.meta.glob<Kind>("./*/kind.ts", { import: "kind", eager: true });

export const kinds: readonly Kind[] = Object.values(files);

const isOf = ({ stimulus }: Kind, block: Block): boolean =>
  block.trials.some((trial) => stimulus.of(trial) !== null);

/** Those of a study's trials.
 * @throws Error for a study without a trial of any. */
export function kindsOf({
  definition,
}: Pick<StudyOverview, "definition">): readonly [Kind, ...Kind[]] {
  const [first, ...others] = kinds.filter((kind) =>
    definition.blocks.some((block) => isOf(kind, block)),
  );
  if (!first) throw new Error("The study has no trial of any kind.");
  return [first, ...others];
}

/** That of a block's trials, which are all of one.
 * @throws Error for a block without a trial of any. */
export function kindOfBlock(block: Block): Kind {
  const kind = kinds.find((one) => isOf(one, block));
  if (!kind) throw new Error(`The block ${block.id} has no trial of any kind.`);
  return kind;
}

/** @throws Error for a medium that no folder is for. */
export function kindOf(medium: string): Kind {
  const kind = kinds.find((one) => one.medium === medium);
  if (!kind) throw new Error(`The desk knows no trials that are ${medium}.`);
  return kind;
}
