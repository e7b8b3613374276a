// The terminal as it was at a moment of the session. Nobody types in it.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useRef } from "react";
import type { ScreenShown } from "../../../api/generated";
import { Stack } from "../../../design/Stack";
import { Screen } from "../../../terminal/screen";
import terminal from "../../../terminal/TerminalPane.module.css";
import { seenBy } from "./screensSeen";

interface PlayedScreenProps {
  readonly screens: readonly ScreenShown[];
  readonly at_us: number;
}

export function PlayedScreen({ screens, at_us }: PlayedScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const glass = useRef<Screen | null>(null);
  const written = useRef(0);
  const wanted = seenBy(screens, at_us);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other screens, another terminal
  useEffect(() => {
    if (!place.current) return;
    const screen = new Screen(place.current, "The terminal, played back");
    screen.terminal.options.disableStdin = true;
    const { textarea } = screen.terminal;
    if (textarea) {
      textarea.tabIndex = -1;
      textarea.readOnly = true;
    }
    glass.current = screen;
    written.current = 0;
    return () => {
      glass.current = null;
      screen.dispose();
      place.current?.replaceChildren();
    };
  }, [screens]);
  useEffect(() => {
    const screen = glass.current;
    if (!screen) return;
    // A terminal cannot go back: what was before is written once more.
    if (wanted < written.current) {
      screen.terminal.reset();
      written.current = 0;
    }
    const news = screens.slice(written.current, wanted).map(({ data }) => data);
    written.current = wanted;
    if (news.length > 0) screen.write(news.join(""), () => {});
  }, [screens, wanted]);
  return (
    <Stack gap={3}>
      <div className={terminal.glass}>
        <div ref={place} className={terminal.cells} data-screens={wanted} />
      </div>
    </Stack>
  );
}
