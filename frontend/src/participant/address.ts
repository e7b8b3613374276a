// What the participant's address says: /s/<study>, ?preview, ?language=nb, a
// panel's parameters (panel.ts), and
// behind the # what no server log sees: an invitation (i=), a participation to
// go on with (p=), or one to withdraw (w=).
// SPDX-License-Identifier: Apache-2.0

export interface Address {
  readonly slug: string;
  readonly preview: boolean;
  /** As it is: the study's file says which of a panel's parameters it may have. */
  readonly search: string;
  readonly invitation: string | null;
  readonly participant_token: string | null;
  readonly withdraw_token: string | null;
}

export function readAddress({
  pathname,
  search,
  hash,
}: Pick<Location, "pathname" | "search" | "hash">): Address {
  const behind = new URLSearchParams(hash.slice(1));
  return {
    slug: decodeURIComponent(pathname.split("/")[2] ?? ""),
    search,
    preview: new URLSearchParams(search).has("preview"),
    invitation: behind.get("i"),
    participant_token: behind.get("p"),
    withdraw_token: behind.get("w"),
  };
}

/** A link to this study, as somebody may open it anywhere. */
export const linkTo = (slug: string, key: "p" | "w", token: string): string =>
  `${location.origin}/s/${encodeURIComponent(slug)}#${key}=${token}`;

/** Takes a credential out of the address, for whoever comes to this screen next. */
export function tidyAddress(): void {
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
}
