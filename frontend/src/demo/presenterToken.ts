// The presenter's token comes in the address's fragment and must not stay there,
// nor in the history, where the next person at this screen would find it.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, Problem, patience } from "../api/client";

/** The token of `#present=…`, removed from the address bar at once; or null. */
export function takePresenterToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("present");
  if (token !== null) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

/** Gives the token for a session of this browser. An old one gives none: whether
 * the browser has a session all the same, the server is asked next. */
export async function admit(token: string): Promise<void> {
  try {
    await answered(api.POST("/api/demos/presenter", { body: { token }, signal: patience() }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
