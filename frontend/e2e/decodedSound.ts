// How much sound reaches a page that listens to a demo, which nothing on it shows.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";

/** Opens the page anew and listens, with all of its connections kept at hand. */
export async function listenMeasured(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const peers: RTCPeerConnection[] = [];
    Object.assign(window, { peers });
    const Native = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Native {
      constructor(settings?: RTCConfiguration) {
        super(settings);
        peers.push(this);
      }
    };
  });
  await page.reload();
  await page.getByRole("button", { name: "Listen" }).click();
  await expect(page.getByText("You hear A.")).toBeVisible();
  await expect.poll(() => decodedEnergy(page)).toBeGreaterThan(0);
}

/** What WebRTC calls the energy of all that was decoded; silence adds none. */
export const decodedEnergy = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { peers } = window as unknown as { peers: RTCPeerConnection[] };
    let energy = 0;
    for (const peer of peers) {
      for (const stats of (await peer.getStats()).values()) {
        if (stats.type === "inbound-rtp") energy += stats.totalAudioEnergy ?? 0;
      }
    }
    return energy;
  });
