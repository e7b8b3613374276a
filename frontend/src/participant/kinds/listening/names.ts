// What the recordings of a trial are called, by what is asked of them.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial } from "../../../api/generated";
import { ofEach } from "../../../player/pair";
import type { MemberNames, NamesOfTwo } from "../../../player/parts";

export function namesOf(trial: Pick<HeardTrial, "scale" | "second">): MemberNames {
  return { ...ofEach("player.one" as const), ...namesOfTwo(trial) };
}

function namesOfTwo({ scale, second }: Pick<HeardTrial, "scale" | "second">): NamesOfTwo {
  const x = "player.x";
  if (!second) return { first: "player.one", second: "player.one", x };
  switch (scale.kind) {
    case "dcr":
      return { first: "player.reference", second: "player.rated", x };
    case "abx":
      return { first: "player.a", second: "player.b", x };
    default:
      return { first: "player.first", second: "player.second", x };
  }
}
