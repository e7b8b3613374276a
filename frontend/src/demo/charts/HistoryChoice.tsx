// How many seconds the charts of latencies and sockets show: all of them the same.
// SPDX-License-Identifier: Apache-2.0
import { Choice } from "./Choice";
import { useShown } from "./usePainting";
import type { ChartView } from "./view";

const HISTORY_S = { 30: "30 s", 60: "1 min", 120: "2 min", 300: "5 min" } as const;

export function HistoryChoice({ view }: { readonly view: ChartView }) {
  const { history_ms } = useShown(view);
  return (
    <Choice
      name="Shown"
      options={HISTORY_S}
      chosen={String(history_ms / 1000) as unknown as `${keyof typeof HISTORY_S}`}
      onChoose={(seconds) => view.set({ history_ms: Number(seconds) * 1000 })}
    />
  );
}
