// Typing in a study: who types now, or one session played back.
// SPDX-License-Identifier: Apache-2.0
import { Notice } from "../../../design/Notice";
import { useStudy } from "../../useStudy";
import { LiveView } from "./LiveView";
import { Replay } from "./Replay";

export function Typing() {
  const { item } = useStudy();
  if (item === null) return <LiveView />;
  const session_id = Number(item);
  if (!Number.isSafeInteger(session_id) || session_id < 1) {
    return <Notice tone="bad" title="There is no such session" />;
  }
  return <Replay key={session_id} session_id={session_id} />;
}
