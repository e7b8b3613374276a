// Whether this page's own sound is on, and how loud.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useSyncExternalStore } from "react";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Loudness } from "../Loudness";
import type { Player } from "../sound/listen";
import styles from "./SoundLine.module.css";

const SAYS = {
  silent: "Sound is off on this page.",
  opening: "The sound is being opened…",
  playing: "Sound is on.",
  blocked: "Your browser holds the sound back.",
  away: "The sound is away for a moment; it comes back by itself.",
  failed: "There is no sound on this page.",
} as const;

/** What the button beside it says already. */
const OBVIOUS: ReadonlySet<string> = new Set(["silent", "playing"]);

export function SoundLine({ player }: { readonly player: Player }) {
  const { at, level, reason } = useSyncExternalStore(player.subscribe, player.view);
  return (
    <div className={clsx(styles.soundLine, look.small)}>
      {at === "silent" && (
        <Button slim onClick={() => player.start()}>
          Sound on
        </Button>
      )}
      {at === "blocked" && (
        <Button slim onClick={() => player.unblock()}>
          Let it sound
        </Button>
      )}
      {at !== "silent" && at !== "blocked" && (
        <Button quiet slim onClick={() => player.stop()}>
          Sound off
        </Button>
      )}
      <Loudness
        label="Loudness on this page"
        hidden
        level={level}
        onSet={(level) => player.setLevel(level)}
      />
      <span role="status" className={OBVIOUS.has(at) ? look.spoken : look.soft}>
        {SAYS[at]} {reason}
      </span>
    </div>
  );
}
