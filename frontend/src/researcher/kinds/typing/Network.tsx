// A participant's network in a table: round trip, jitter, transport, and how often it was away.
// SPDX-License-Identifier: Apache-2.0
import type { PastSession } from "../../../api/generated";
import look from "../../../design/look.module.css";
import { counted, delay } from "../../../staff/format";
import { transports } from "./wording";

interface NetworkProps {
  readonly session: Pick<PastSession, "link_jitter_ms" | "transport" | "reconnects">;
  readonly rtt_ms: number | null;
  /** What is said in place of a transport where there is none. */
  readonly without?: string;
}

export function Network({ session, rtt_ms, without }: NetworkProps) {
  const { link_jitter_ms, transport, reconnects } = session;
  const over = transport ? (transports[transport] ?? transport) : without;
  return (
    <>
      {delay(rtt_ms)}
      <span className={look.soft}>
        {" "}
        ± {delay(link_jitter_ms)}
        {over && ` · ${over}`}
        {!!reconnects && ` · ${counted(reconnects, "reconnect")}`}
      </span>
    </>
  );
}
