// What both players are made of.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useSyncExternalStore } from "react";
import { Button } from "../design/Button";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { useSay } from "../language/Speaking";
import type { Key } from "../language/translation";
import type { CommonView, Instrument } from "./instrument";
import type { Member } from "./pair";
import styles from "./parts.module.css";
import player from "./player.module.css";

export const useView = <View extends CommonView>(instrument: Instrument<View>): View =>
  useSyncExternalStore(instrument.subscribe, instrument.view);

type MemberName = Extract<
  Key,
  `player.${"one" | "first" | "second" | "reference" | "rated" | "a" | "b" | "x"}`
>;

/** What the members of a trial are called. */
export type MemberNames = Readonly<Record<Member, MemberName>>;

/** Of a trial of at most two, and one of them once more. */
export type NamesOfTwo = Readonly<Record<"first" | "second" | "x", MemberName>>;

export interface PlayerProps<Played extends Instrument> {
  readonly instrument: Played;
  readonly names: MemberNames;
}

/** How the members stand beside each other. */
export const membersClass = (members: readonly Member[]): string =>
  clsx(player.members, members.length === 1 && player.alone, members.includes("x") && player.three);

interface BlockedProps {
  readonly onStart: () => void;
}

export function Blocked({ onStart }: BlockedProps) {
  const say = useSay();
  return (
    <div role="alert">
      <Notice tone="warn" title={say("player.blocked.title")}>
        <p>{say("player.blocked.text")}</p>
        <Row>
          <Button slim onClick={onStart}>
            {say("player.blocked.start")}
          </Button>
        </Row>
      </Notice>
    </div>
  );
}

export function clock(time_s: number): string {
  const seconds = Math.floor(time_s);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const SHAPES = {
  play: "M8 5.5v13l11-6.5z",
  pause: "M7 5.5h3.6v13H7zM13.4 5.5H17v13h-3.6z",
  stop: "M7 7h10v10H7z",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM14.6 8.2a5 5 0 0 1 0 7.6l1.2 1.4a6.9 6.9 0 0 0 0-10.4z",
  done: "M9.6 17.2 4.9 12.5l1.5-1.5 3.2 3.2 8-8 1.5 1.5z",
} as const;

export function Icon({ name }: { readonly name: keyof typeof SHAPES }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} fill="currentColor" />
    </svg>
  );
}
