// How a listener came to an answer, as a vote says it.
// SPDX-License-Identifier: Apache-2.0
import type { AnyInstrument } from "../../../player/keys";
import type { Account } from "../kind";

export function accountOf(instrument: AnyInstrument): Account {
  const { decision_ms, events, ...told } = instrument.account();
  return { account: { medium: "heard", ...told }, decision_ms, events };
}
