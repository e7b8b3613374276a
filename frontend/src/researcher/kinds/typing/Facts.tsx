// What a session was and what it came to, in figures.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { TypingReplay } from "../../../api/generated";
import { traceMetricsTerms } from "../../../api/generatedTerms";
import look from "../../../design/look.module.css";
import { Pairs, type Term, Terms } from "../../../design/Pairs";
import { counted, delay, percent } from "../../../staff/format";
import styles from "./Facts.module.css";
import { ends, transports } from "./wording";

export function Facts({ session }: { readonly session: TypingReplay }) {
  const { measures, result, condition_words: said } = session;
  const echo = measures?.echo;
  const rows: Term[] = [
    ["Participant", `${session.participant}, trial ${session.position}`],
    ["Condition", `${said.sender}; there ${said.there}, back ${said.back}`],
    ["Task", `${session.task_kind} in ${session.editor}`],
    ["Ended", ends[session.end ?? ""] ?? session.end ?? "–"],
    [
      "Participant’s network",
      `${delay(session.link_rtt_p50_ms)} ± ${delay(session.link_jitter_ms)} · ${transports[session.transport ?? ""] ?? "–"}`,
    ],
  ];
  if (measures) {
    rows.push(
      [
        "Keys",
        `${counted(measures.keys, "key")}, ${counted(measures.corrections, "correction")}, every ${delay(measures.inter_key_p50_ms)}`,
      ],
      [
        "Press to glyph",
        `median ${delay(echo?.p50_ms)}, 95 % ${delay(echo?.p95_ms)}, most ${delay(echo?.max_ms)}`,
      ],
      [
        "Of that on the lane",
        measures.lane_share_p50 == null ? "–" : percent(measures.lane_share_p50),
      ],
      [
        "Glyphs at once",
        `${counted(measures.bursts.count, "time")}, at most ${measures.bursts.keys_max}`,
      ],
      ["Errors left", measures.errors_left == null ? "–" : String(measures.errors_left)],
    );
  }
  if (result) {
    rows.push(
      [
        traceMetricsTerms.retransmitted_share.title,
        `keys ${percent(result.metrics_forward?.retransmitted_share ?? 0)}, echoes ${percent(result.metrics_backward?.retransmitted_share ?? 0)}`,
      ],
      [
        "Emulator’s own error",
        `${delay(result.timing.forward.p50_us / 1000)}, 99 % ${delay(result.timing.forward.p99_us / 1000)}${result.timing.trustworthy ? "" : `; not to be trusted: ${result.timing.reason}`}`,
      ],
    );
  }
  return (
    <Pairs className={clsx(styles.replayFacts, look.small)}>
      <Terms of={rows} />
    </Pairs>
  );
}
