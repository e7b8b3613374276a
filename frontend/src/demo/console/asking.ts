// What each part of the console that asks for changes is given.
// SPDX-License-Identifier: Apache-2.0
import type { DemoState } from "../../api/generated";
import type { Wish } from "./undoing";

export interface Asking {
  readonly state: DemoState;
  readonly onItsWay: readonly Wish[];
  readonly disabled: boolean;
  /** False where it cannot be asked now. */
  readonly onWish: (wish: Wish) => boolean;
}
