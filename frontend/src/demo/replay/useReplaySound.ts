// A replay's sound, as long as its page is open.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "react";
import type { DemoTakeRecord } from "../../api/generated";
import type { ReplayFeed } from "../feed/replay";
import { fetchFrom } from "./sound/pieces";
import { ReplaySound } from "./sound/replaySound";
import { type Segment, segmentsOf } from "./sound/segments";

/** Null where nothing of the demo can be heard. */
export function useReplaySound(
  feed: ReplayFeed,
  takes: readonly DemoTakeRecord[],
  base: string,
): ReplaySound | null {
  const [sound, setSound] = useState<ReplaySound | null>(null);
  // What is asked for again now and then is the same, and must not break off what is heard.
  const told = JSON.stringify(segmentsOf(takes));
  const segments = useMemo(() => JSON.parse(told) as readonly Segment[], [told]);
  useEffect(() => {
    if (segments.length === 0) return;
    const made = new ReplaySound(feed, segments, fetchFrom(base));
    setSound(made);
    return () => {
      made.dispose();
      setSound(null);
    };
  }, [feed, segments, base]);
  return sound;
}
