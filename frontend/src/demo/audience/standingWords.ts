// What the audience is told while nothing runs. Lanes are opened afresh when letters are
// drawn or another stream begins as well as when something broke: the page does not know
// which, and so tells of nothing broken.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceState } from "../../api/generated";

type Words = "audience.anew" | "audience.waiting" | "audience.paused" | "audience.stopped";

export function standingWords({
  stage,
  take,
}: Pick<AudienceState, "stage" | "take">): Words | null {
  switch (stage) {
    case "opening":
      return take > 1 ? "audience.anew" : "audience.waiting";
    case "paused":
      return "audience.paused";
    case "stopped":
      return "audience.stopped";
    case "running":
    case "ended":
      return null;
  }
}
