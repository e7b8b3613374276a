// What a lane's association is told: how long its receivers may wait with a SACK.
// SPDX-License-Identifier: Apache-2.0

import { sctpTerms } from "../../api/generatedTerms";
import { Field, SelectOne } from "../../design/Field";
import look from "../../design/look.module.css";
import type { LaneChange } from "./asking";
import { Quantity } from "./Quantity";
import { SettingsFold } from "./SettingsFold";
import { SCTP, UNSET_SCTP } from "./scales";
import { type SackDelay, sackDelayOf } from "./senders";

const { sack_delay_ms: usual_ms } = UNSET_SCTP;

const CHOICES: readonly (readonly [SackDelay, string])[] = [
  ["kernel", `as the kernel has it, ${usual_ms} ms`],
  ["none", "none: each packet at once"],
  ["own", "another"],
];
/** Another delay is the kernel's until it is moved. */
const CHOSEN_MS = { kernel: null, none: 0, own: usual_ms } as const;
/** None is a choice of its own. */
const SCALE = { ...SCTP.sack_delay_ms, label: "Wait at most", least: 1 };

export function SctpFold({ of, wanted, disabled, onChange }: LaneChange) {
  const change = (sack_delay_ms: number | null) =>
    onChange({ ...wanted, sctp: { ...wanted.sctp, sack_delay_ms } });
  const chosen = sackDelayOf(wanted);
  const wanted_ms = wanted.sctp?.sack_delay_ms;
  const isOnItsWay = wanted_ms !== of.sctp?.sack_delay_ms;
  const waits = isOnItsWay && <span className={look.waiting}>on its way…</span>;
  return (
    <SettingsFold of="SCTP" letter={of.letter}>
      <Field label={sctpTerms.sack_delay_ms.title} small note={waits}>
        {(id) => (
          <SelectOne
            id={id}
            slim
            disabled={disabled}
            options={CHOICES}
            chosen={chosen}
            onChoose={(choice) => change(CHOSEN_MS[choice])}
          />
        )}
      </Field>
      {chosen === "own" && (
        <Quantity
          scale={SCALE}
          value={wanted_ms ?? usual_ms}
          onItsWay={isOnItsWay}
          disabled={disabled}
          onApply={change}
        />
      )}
    </SettingsFold>
  );
}
