// What each part of the console that asks for changes is given.
// SPDX-License-Identifier: Apache-2.0
import type { DemoLane, DemoState, LaneState } from "../../api/generated";
import type { Wish } from "./undoing";

export interface Asking {
  readonly state: DemoState;
  readonly onItsWay: readonly Wish[];
  readonly disabled: boolean;
  /** False where it cannot be asked now. */
  readonly onWish: (wish: Wish) => boolean;
}

/** With what a part of a lane's card shows the lane, and asks for another. */
export interface LaneChange {
  /** As the kernel has it. */
  readonly of: LaneState;
  /** As it will be when all that is on its way has arrived. */
  readonly wanted: DemoLane;
  readonly disabled: boolean;
  readonly onChange: (to: DemoLane) => void;
}
