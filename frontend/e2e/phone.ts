// A telephone: narrow, touched, put to sleep, interrupted by a call.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";

/** What a browser's context is opened with. */
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
} as const;

const WIDTHS_PX = [320, 390] as const;

/** No scrolling to the side, on a narrow phone and on a usual one. */
export async function expectToFit(page: Page): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 844 });
    // A phone would zoom out instead, until all is in sight.
    const wide = await page.evaluate(
      (width) =>
        [...document.body.querySelectorAll("*")]
          .filter(
            (element) =>
              document.documentElement.scrollWidth > width &&
              element.getBoundingClientRect().right > width,
          )
          .map((element) => `${element.tagName}.${element.className}`),
      width,
    );
    expect(wide, `${width} px`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}

/** The page does nothing, as in a phone's pocket, while something else happens. */
export async function asleep(page: Page, meanwhile: () => Promise<unknown>): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await meanwhile();
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await devtools.detach();
}

declare global {
  interface Window {
    /** All that can sound. */
    sounding?: (AudioContext | HTMLAudioElement)[];
  }
}

/** Before the page is opened: whatever sounds on it can be taken away. */
export async function canBeCalled(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sounding: NonNullable<Window["sounding"]> = [];
    window.sounding = sounding;
    const [Context, Element] = [AudioContext, Audio];
    window.AudioContext = class extends Context {
      constructor(options?: AudioContextOptions) {
        super(options);
        sounding.push(this);
      }
    };
    window.Audio = class extends Element {
      constructor(address?: string) {
        super(address);
        sounding.push(this);
      }
    };
  });
}

/** A call takes the sound away, and does not give it back. */
export async function called(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const one of window.sounding ?? []) {
      if (one instanceof AudioContext) await one.suspend();
      else one.pause();
    }
  });
}

/** The clock of the page's sound stands still, as with headphones that are gone and missed by no
 * browser, until the page asks for the sound anew. */
export async function deviceGone(page: Page): Promise<void> {
  await page.evaluate(() => {
    const clock = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, "currentTime");
    const resume = AudioContext.prototype.resume;
    if (!clock) throw new Error("This browser's sound has no clock.");
    const stopped = new WeakMap<BaseAudioContext, number>();
    Object.defineProperty(BaseAudioContext.prototype, "currentTime", {
      configurable: true,
      get(this: BaseAudioContext) {
        const at_s = stopped.get(this) ?? clock.get?.call(this);
        stopped.set(this, at_s);
        return at_s;
      },
    });
    AudioContext.prototype.resume = function (this: AudioContext) {
      Object.defineProperty(BaseAudioContext.prototype, "currentTime", clock);
      AudioContext.prototype.resume = resume;
      return resume.call(this);
    };
  });
}
