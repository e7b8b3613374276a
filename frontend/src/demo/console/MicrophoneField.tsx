// The presenter's microphone: asked for, level, and what keeps it away.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useSyncExternalStore } from "react";
import { answered, api, patience } from "../../api/client";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Progress } from "../../design/Progress";
import { MicrophoneSender } from "../sound/microphone";
import styles from "./MicrophoneField.module.css";

const SAYS = {
  off: "The microphone is off: the lanes carry silence.",
  asking: "Your browser asks whether this page may use it.",
  opening: "The microphone is being opened…",
  live: "What you say goes over every lane and back, and is not kept.",
  away: "The connection is away; it comes back by itself.",
  refused: "The microphone cannot be used.",
} as const;

interface MicrophoneFieldProps {
  readonly demo_id: number;
  /** Whether sound comes from one, from whichever console. */
  readonly live: boolean;
}

export function MicrophoneField({ demo_id, live }: MicrophoneFieldProps) {
  const sender = useMemo(
    () =>
      new MicrophoneSender({
        offer: (sdp) =>
          answered(
            api.POST("/api/demos/{demo_id}/microphone", {
              params: { path: { demo_id } },
              body: { sdp },
              signal: patience(),
            }),
          ),
      }),
    [demo_id],
  );
  useEffect(() => () => sender.stop(), [sender]);
  const view = useSyncExternalStore(sender.subscribe, sender.view);
  const open = view.at !== "off" && view.at !== "refused";
  return (
    <div className={styles.microphone}>
      <Button slim quiet={open} onClick={() => (open ? sender.stop() : void sender.start())}>
        {open ? "Switch the microphone off" : "Switch the microphone on"}
      </Button>
      {view.at === "live" && <Progress label="Level of the microphone" share={view.level_share} />}
      <p className={look.note} role="status">
        {view.at === "off" && live ? "Another console’s microphone is on." : SAYS[view.at]}{" "}
        {view.reason}
      </p>
      {view.at === "live" && (
        <p className={look.note}>Wear headphones: else it hears itself come back.</p>
      )}
    </div>
  );
}
