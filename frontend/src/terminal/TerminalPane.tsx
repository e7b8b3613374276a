// The terminal in its frame: the glass, and over it what keeps one from typing
// just now.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from "react";
import look from "../design/look.module.css";
import { Stack } from "../design/Stack";
import { useSay } from "../language/Speaking";
import { WAY_OUT } from "./keyboard";
import type { SessionView, TypingSession } from "./session";
import styles from "./TerminalPane.module.css";

export const useSession = (session: TypingSession): SessionView =>
  useSyncExternalStore(session.subscribe, session.view);

interface TerminalPaneProps {
  readonly session: TypingSession;
  /** Takes the focus when the typist leaves the terminal by its key. */
  readonly onWayOut: () => void;
}

export function TerminalPane({ session, onWayOut }: TerminalPaneProps) {
  const say = useSay();
  const glass = useRef<HTMLDivElement>(null);
  const help = useId();
  const view = useSession(session);
  const label = say("terminal.label");
  const wayOut = useRef(onWayOut);
  wayOut.current = onWayOut;
  useEffect(() => {
    if (!glass.current) return;
    session.mount(glass.current, label, () => wayOut.current());
    glass.current.querySelector("textarea")?.setAttribute("aria-describedby", help);
  }, [session, label, help]);
  return (
    <Stack gap={3}>
      <div
        className={view.focused ? clsx(styles.glass, styles.focused) : styles.glass}
        data-testid="glass"
        data-focused={view.focused}
      >
        <div ref={glass} className={styles.cells} />
        <Cover view={view} onFocus={() => session.focus()} />
      </div>
      <p className={clsx(styles.hint, look.small)} role="status">
        {view.hint && <strong>{say(`terminal.${view.hint}`)}</strong>}
      </p>
      <p id={help} className={look.note}>
        {say("terminal.leave", { key: WAY_OUT })}{" "}
        <span className={look.spoken}>{say("terminal.reader")}</span>
      </p>
    </Stack>
  );
}

interface CoverProps {
  readonly view: SessionView;
  readonly onFocus: () => void;
}

function Cover({ view, onFocus }: CoverProps) {
  const say = useSay();
  if (view.at === "connecting" || view.at === "preparing" || view.at === "finishing") {
    return (
      <Over>
        <span className={styles.dots} aria-hidden="true" />
        {say(`terminal.${view.at}`)}
      </Over>
    );
  }
  if (view.at !== "ready") return null;
  if (view.link !== "open") {
    return (
      <Over>
        <strong>{say("terminal.away.title")}</strong>
        {say("terminal.away.text")}
      </Over>
    );
  }
  if (view.held) {
    return (
      <Over>
        <strong>{say("terminal.held.title")}</strong>
        {say("terminal.held.text")}
      </Over>
    );
  }
  if (view.focused) return null;
  return (
    <button type="button" className={styles.cover} data-testid="cover" onClick={onFocus}>
      <span>{say("terminal.unfocused")}</span>
    </button>
  );
}

function Over({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.cover} data-testid="cover" role="status">
      <p>{children}</p>
    </div>
  );
}
