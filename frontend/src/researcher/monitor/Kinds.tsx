// Whom the monitor counts: people; or, to look at a rehearsal, bots or previews.
// SPDX-License-Identifier: Apache-2.0

import type { Monitor } from "../../api/generated";
import { Segments } from "../../design/Segments";

const NAMES = { person: "People", bot: "Bots", preview: "Previews" } as const;

interface KindsProps {
  readonly monitor: Monitor;
  readonly onKind: (kind: Monitor["kind"]) => void;
}

export function Kinds({ monitor, onKind }: KindsProps) {
  const { kind, others, funnel } = monitor;
  const count = (of: Monitor["kind"]) => (of === kind ? funnel.joined : (others[of] ?? 0));
  const shown = (Object.keys(NAMES) as Monitor["kind"][]).filter(
    (of) => of === "person" || of === kind || count(of) > 0,
  );
  if (shown.length === 1) return <span />;
  return (
    <Segments
      name="Whom to count"
      options={Object.fromEntries(shown.map((of) => [of, `${NAMES[of]} (${count(of)})`]))}
      chosen={kind}
      onChoose={onKind}
    />
  );
}
