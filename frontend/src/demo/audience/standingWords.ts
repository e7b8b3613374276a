// What the audience is told while nothing runs. Lanes are opened afresh when letters are
// drawn or another stream begins as well as when something broke: the page does not know
// which, and so tells of nothing broken.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceState } from "../../api/generated";

type Words = "audience.anew" | "audience.waiting" | "audience.paused" | "audience.stopped";

type Standing = Pick<AudienceState, "stage" | "take">;

/** A take that is about to be left for another is still the one of a state that says "opening". */
export const hasBegun = ({ stage, take }: Standing): boolean =>
  take > 1 || stage === "running" || stage === "paused";

export function standingWords({ stage }: Standing, begun: boolean): Words | null {
  switch (stage) {
    case "opening":
      return begun ? "audience.anew" : "audience.waiting";
    case "paused":
      return "audience.paused";
    case "stopped":
      return "audience.stopped";
    case "running":
    case "ended":
      return null;
  }
}
