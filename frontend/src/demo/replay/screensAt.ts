// The terminals as they were at an instant of a replay.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef } from "react";
import type { LaneScreen } from "../../api/generated";
import { ScreenFeed } from "../screens/screenFeed";

export function useScreensAt(screens: readonly LaneScreen[], at_ms: number): ScreenFeed {
  const feed = useMemo(() => new ScreenFeed(), []);
  const written = useRef(0);
  const take = useRef(0);
  useEffect(() => {
    const until = screens.filter((screen) => screen.at_ms <= at_ms).length;
    // A terminal cannot go back: what was before is written once more.
    if (until < written.current) {
      feed.clear();
      written.current = 0;
    }
    for (const screen of screens.slice(written.current, until)) {
      if (screen.take !== take.current) feed.clear();
      take.current = screen.take;
      feed.write(screen.lane, screen.data);
    }
    written.current = until;
  }, [feed, screens, at_ms]);
  return feed;
}
