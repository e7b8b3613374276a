// A participant's network in a table: round trip, jitter, transport, and how often it was away.
// SPDX-License-Identifier: Apache-2.0
import look from "../../../design/look.module.css";
import { counted, delay } from "../../../staff/format";

interface NetworkProps {
  readonly rtt_ms: number | null | undefined;
  readonly jitter_ms: number | null | undefined;
  readonly transport: string | null | undefined;
  readonly reconnects: number | null | undefined;
}

export function Network({ rtt_ms, jitter_ms, transport, reconnects }: NetworkProps) {
  return (
    <>
      {delay(rtt_ms)}
      <span className={look.soft}>
        {" "}
        ± {delay(jitter_ms)}
        {transport && ` · ${transport}`}
        {!!reconnects && ` · ${counted(reconnects, "reconnect")}`}
      </span>
    </>
  );
}
