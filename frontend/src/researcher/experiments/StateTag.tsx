// Where an experiment stands, in a word.
// SPDX-License-Identifier: Apache-2.0
import type { ExperimentSummary } from "../../api/generated";
import { Tag } from "../../design/Tag";
import { stateOf } from "./wording";

export function StateTag({ of }: { readonly of: ExperimentSummary }) {
  const { word, tone } = stateOf(of);
  return <Tag tone={tone}>{word}</Tag>;
}
