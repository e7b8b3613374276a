// Every kind of result, in the order of the page: what each shows is in a folder of its own.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "react";
import type { Monitor, StudyResults } from "../../api/generated";
import { Adaptive } from "./adaptive/Adaptive";
import { Bias } from "./bias/Bias";
import { Delay } from "./delay/Delay";
import { Flow } from "./flow/Flow";
import { Hypotheses } from "./hypotheses/Hypotheses";
import { Standing } from "./hypotheses/Looks";
import { Beside } from "./mushra/Beside";
import { Noticeable } from "./noticeable/Noticeable";
import { Pairs } from "./pairs/Pairs";
import { Position } from "./position/Position";
import { Replications } from "./replication/Replications";
import { Scores } from "./scores/Scores";
import { ToldApart } from "./toldApart/ToldApart";

export interface CardProps {
  readonly results: StudyResults;
  /** Whose votes these are, for what is asked for beside the results. */
  readonly kind: Monitor["kind"];
}

interface ResultKind {
  readonly name: string;
  /** Nothing where a study has no such result. */
  readonly Card: ComponentType<CardProps>;
}

export const RESULT_KINDS: readonly ResultKind[] = [
  { name: "looks", Card: Standing },
  { name: "hypotheses", Card: Hypotheses },
  { name: "replication", Card: Replications },
  { name: "pairs", Card: Pairs },
  { name: "toldApart", Card: ToldApart },
  { name: "adaptive", Card: Adaptive },
  { name: "noticeable", Card: Noticeable },
  { name: "scores", Card: Scores },
  { name: "mushra", Card: Beside },
  { name: "delay", Card: Delay },
  { name: "bias", Card: Bias },
  { name: "position", Card: Position },
  { name: "flow", Card: Flow },
];
