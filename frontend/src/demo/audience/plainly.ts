// What a lane's sender does, for a room that has never heard of TCP: the server's
// words, so that no participant's browser has them.
// SPDX-License-Identifier: Apache-2.0
import type { RevealedLane } from "../../api/generated";

export const plainly = ({ plainly: said }: Pick<RevealedLane, "plainly">, language: string) =>
  said[language] ?? said.en ?? "";
