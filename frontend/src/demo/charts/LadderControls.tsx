// Stops the charts, goes back in them, and says how many seconds the packets show.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useState } from "react";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { LiveFeed } from "../feed/feed";
import { PACKETS_KEPT_MS } from "../feed/lane";
import { Choice } from "./Choice";
import styles from "./LadderControls.module.css";
import { clockText } from "./stretch";
import { useShown } from "./usePainting";
import type { ChartView } from "./view";

const LADDER_S = { 1: "1 s", 2: "2 s", 5: "5 s", 10: "10 s", 20: "20 s" } as const;

const isLive = ({ feed }: ChartView): boolean => feed instanceof LiveFeed;

export function LadderControls({ view }: { readonly view: ChartView }) {
  const { frozen_ms, ladder_ms } = useShown(view);
  const frozen = frozen_ms !== null;
  return (
    <>
      {/* What is replayed has a button of its own that stops all of it. */}
      {(frozen || isLive(view)) && (
        <Button quiet={!frozen} slim onClick={() => (frozen ? view.goOn() : view.freeze())}>
          {frozen ? "Go on with the charts" : "Stop the charts"}
        </Button>
      )}
      <Choice
        name="Shown"
        options={LADDER_S}
        chosen={String(ladder_ms / 1000) as unknown as `${keyof typeof LADDER_S}`}
        onChoose={(seconds) => view.set({ ladder_ms: Number(seconds) * 1000 })}
      />
    </>
  );
}

/** Goes back in what is kept of the packets, while the charts stand still. */
export function Back({ view }: { readonly view: ChartView }) {
  const { frozen_ms } = useShown(view);
  return frozen_ms === null ? null : <Slider view={view} frozen_ms={frozen_ms} />;
}

function Slider({ view, frozen_ms }: { readonly view: ChartView; readonly frozen_ms: number }) {
  // As it was when the charts were stopped: a handle must not move by itself.
  const [latest_ms] = useState(view.latest_ms);
  return (
    <label className={clsx(styles.back, look.small)}>
      <span>
        {isLive(view) && "The demo goes on. "}Shown up to {clockText(frozen_ms, 100)}
      </span>
      <input
        type="range"
        min={Math.max(0, latest_ms - PACKETS_KEPT_MS)}
        max={latest_ms}
        step={100}
        value={frozen_ms}
        aria-valuetext={clockText(frozen_ms, 100)}
        onChange={(event) => view.set({ frozen_ms: Number(event.currentTarget.value) })}
      />
    </label>
  );
}
