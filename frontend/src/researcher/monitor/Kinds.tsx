// Whom the monitor counts: people; or, to look at a rehearsal, bots or previews.
// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from "../../api/generated";

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
    <fieldset className="toggle small">
      <legend className="visually-hidden">Whom to count</legend>
      {shown.map((of) => (
        <label key={of}>
          <input
            type="radio"
            className="visually-hidden"
            name="kind"
            checked={of === kind}
            onChange={() => onKind(of)}
          />
          <span>
            {NAMES[of]} ({count(of)})
          </span>
        </label>
      ))}
    </fieldset>
  );
}
