// The lanes' terminals side by side. Where there is a keyboard, it is one for all
// of them: what is typed goes to every lane.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import look from "../../design/look.module.css";
import { Stack } from "../../design/Stack";
import { listen } from "../../terminal/keyboard";
import { Screen } from "../../terminal/screen";
import terminal from "../../terminal/TerminalPane.module.css";
import styles from "./SplitTerminal.module.css";
import type { LaneKey, ScreenFeed } from "./screenFeed";

interface Keyboard {
  readonly onKey: (data: string) => void;
  readonly onWayOut: () => void;
  /** What the terminals say to who has them in focus and cannot see them. */
  readonly help: string;
  /** On what takes the keyboard when clicked. */
  readonly invitation: string;
}

/** What a pane shows. */
interface Shown {
  readonly lane: LaneKey;
  readonly name: string;
}

interface SplitTerminalProps {
  readonly screens: ScreenFeed;
  readonly panes: readonly Shown[];
  readonly keyboard?: Keyboard;
}

export function SplitTerminal({ screens, panes, keyboard }: SplitTerminalProps) {
  const [focused, setFocused] = useState(false);
  const first = useRef<Screen | null>(null);
  const help = useId();
  return (
    <Stack gap={3}>
      <Stack gap={4} className={styles.panes} data-lanes={panes.length}>
        {panes.map((pane, place) => (
          <Pane
            key={pane.lane}
            {...pane}
            screens={screens}
            focused={focused}
            {...(keyboard && place === 0
              ? { keyboard: { ...keyboard, help }, onFocus: setFocused, screen: first }
              : {})}
            {...(keyboard && { onClick: () => first.current?.enter() })}
          />
        ))}
      </Stack>
      {keyboard && (
        <p id={help} className={look.note}>
          {focused ? keyboard.help : keyboard.invitation}
        </p>
      )}
    </Stack>
  );
}

interface PaneProps extends Shown {
  readonly screens: ScreenFeed;
  readonly focused: boolean;
  readonly keyboard?: Keyboard;
  readonly onFocus?: (focused: boolean) => void;
  readonly screen?: { current: Screen | null };
  readonly onClick?: () => void;
}

function Pane({ name, lane, screens, focused, keyboard, onFocus, screen, onClick }: PaneProps) {
  const place = useRef<HTMLDivElement>(null);
  const typed = useRef(keyboard);
  typed.current = keyboard;
  const described = keyboard?.help;
  const own = useRef<Screen | null>(null);
  const label = useRef(name);
  label.current = name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed goes by `typed`
  useEffect(() => {
    if (!place.current) return;
    const glass = new Screen(place.current, label.current);
    own.current = glass;
    const { textarea } = glass.terminal;
    const end = described ? withKeyboard(glass) : withoutKeyboard(glass);
    if (screen) screen.current = glass;
    if (described) textarea?.setAttribute("aria-describedby", described);
    const unshow = screens.show(lane, {
      write: (data) => glass.write(data, () => {}),
      clear: () => glass.terminal.reset(),
    });
    return () => {
      unshow();
      end();
      own.current = null;
      if (screen) screen.current = null;
      glass.dispose();
      place.current?.replaceChildren();
    };
  }, [screens, lane, described]);
  // Whoever types goes on typing while a lane is given another name.
  useEffect(() => own.current?.terminal.textarea?.setAttribute("aria-label", name), [name]);

  function withKeyboard(glass: Screen): () => void {
    const leave = () => typed.current?.onWayOut();
    const ignore = () => {};
    const end = listen(glass.terminal, {
      onStroke: ({ data }) => typed.current?.onKey(data),
      onRelease: ignore,
      onPaste: ignore,
      onStuck: ignore,
      onWayOut: leave,
    });
    const { textarea } = glass.terminal;
    textarea?.addEventListener("focus", () => onFocus?.(true));
    textarea?.addEventListener("blur", () => onFocus?.(false));
    return end;
  }

  return (
    <Stack as="section" gap={3} data-testid="pane" aria-label={name}>
      <h3>{name}</h3>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Tab reaches the first pane's keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        data-testid="glass"
        data-focused={focused}
        className={focused ? clsx(terminal.glass, terminal.focused) : terminal.glass}
        onClick={onClick}
      >
        <div ref={place} className={terminal.cells} />
      </div>
    </Stack>
  );
}

/** Nobody types in it. */
function withoutKeyboard(glass: Screen): () => void {
  glass.terminal.options.disableStdin = true;
  const { textarea } = glass.terminal;
  if (textarea) {
    textarea.tabIndex = -1;
    textarea.readOnly = true;
  }
  return () => {};
}
