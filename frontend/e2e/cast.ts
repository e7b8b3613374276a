// The votes that a page sends, read inside the page: not every browser tells its
// driver what a request carries.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import type { VoteCast } from "../src/api/generated.ts";

declare global {
  interface Window {
    noteVote: (text: string) => Promise<void>;
  }
}

/** Grows with each vote that the server has taken from now on. */
export async function votesCast(page: Page): Promise<readonly VoteCast[]> {
  const votes: VoteCast[] = [];
  await page.exposeFunction("noteVote", (text: string) => votes.push(JSON.parse(text)));
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = async (...given) => {
      const [request] = given;
      const isVote = request instanceof Request && request.url.endsWith("/participation/votes");
      const text = isVote ? await request.clone().text() : null;
      const response = await send(...given);
      if (text !== null && response.ok) await window.noteVote(text);
      return response;
    };
  });
  return votes;
}
