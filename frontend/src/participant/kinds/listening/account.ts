// How a listener came to an answer, as a vote says it.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial, VoteCast } from "../../../api/generated";
import type { FreeInstrument } from "../../../player/free";
import type { AnyInstrument } from "../../../player/keys";
import { type Members, membersOf } from "../../../player/pair";
import type { Account } from "../kind";

/** The same of a page on which several were rated: each has an account of its own. */
export function accountOfRated(
  instrument: FreeInstrument,
  handles: Members<HeardTrial["first"]>,
  scores: readonly number[],
): Account & Pick<VoteCast, "ratings"> {
  const ratings = membersOf(handles)
    .filter((member) => member !== "x")
    .map((member, place) => {
      const { decision_ms: _, events: __, ...account } = instrument.accountOf(member);
      const { recording_token } = handles[member] ?? handles.first;
      const score = scores[place] ?? 0;
      return { recording_token, score, account: { medium: "heard" as const, ...account } };
    });
  const { account, ...rest } = accountOf(instrument);
  return { ...rest, account: ratings[0]?.account ?? account, ratings };
}

export function accountOf(instrument: AnyInstrument): Account {
  const { decision_ms, events, ...told } = instrument.account();
  return { account: { medium: "heard", ...told }, decision_ms, events };
}
