// The kinds of streams that a demo sends, for people.
// SPDX-License-Identifier: Apache-2.0
import type { DemoState } from "../api/generated";

export type DemoStream = DemoState["stream"];

interface About {
  readonly title: string;
  readonly heard: boolean;
  /** Why a take of it may have no sound. */
  readonly silence: string;
}

export const STREAMS: Readonly<Record<DemoStream["kind"], About>> = {
  clip: {
    title: "Clip",
    heard: true,
    silence: "The sound of this take was not kept.",
  },
  microphone: {
    title: "Microphone",
    heard: true,
    silence: "What was said into the microphone is not kept, only what became of its packets.",
  },
  terminal: {
    title: "Terminal (SSH)",
    heard: false,
    silence: "This take is a terminal: there is nothing to hear.",
  },
  synthetic: {
    title: "Synthetic",
    heard: false,
    silence: "This take’s stream has no sound.",
  },
};

/** In the order in which they are offered. */
export const KINDS = Object.keys(STREAMS) as DemoStream["kind"][];
