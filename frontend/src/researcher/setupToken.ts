// The setup token comes in the address's fragment and must not stay there, nor
// in the history, where the next person at this screen would find it.
// SPDX-License-Identifier: Apache-2.0

/** The token of `#setup=…`, removed from the address bar at once; or null. */
export function takeSetupToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("setup");
  if (token !== null) history.replaceState(null, "", location.pathname + location.search);
  return token;
}
