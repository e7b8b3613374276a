// How a lane bundles, for those who want it otherwise than the kernel has it.
// SPDX-License-Identifier: Apache-2.0

import type { Bundling, HiddenLossResponse } from "../../api/generated";
import { bundlingTerms, hiddenLossResponseTerms } from "../../api/generatedTerms";
import { Field, SelectOne } from "../../design/Field";
import look from "../../design/look.module.css";
import type { LaneChange } from "./asking";
import { QuantityOf } from "./Quantity";
import { SettingsFold } from "./SettingsFold";
import { BUNDLING, type BundlingNumber, UNSET_BUNDLING } from "./scales";

const RESPONSES: readonly (readonly [HiddenLossResponse, string])[] = [
  ["baseline", "as the baseline does"],
  ["none", hiddenLossResponseTerms.none.title],
  ["reduce_window", hiddenLossResponseTerms.reduce_window.title],
];

const numbersOf = (bundling: Bundling = {}): Readonly<Record<BundlingNumber, number>> => ({
  max_bytes: bundling.max_bytes ?? UNSET_BUNDLING.max_bytes,
  max_packets: bundling.max_packets ?? UNSET_BUNDLING.max_packets,
  min_iat_ms: bundling.min_iat_ms ?? UNSET_BUNDLING.min_iat_ms,
});

/** Nothing on a lane that does not bundle. */
export function BundlingFold({ of, wanted, disabled, onChange }: LaneChange) {
  if (!of.mechanisms.includes("bundling")) return null;
  const change = (to: Bundling) => onChange({ ...wanted, bundling: { ...wanted.bundling, ...to } });
  const scaled = {
    scales: BUNDLING,
    wanted: numbersOf(wanted.bundling),
    inForce: numbersOf(of.bundling),
    disabled,
    onApply: change,
  };
  return (
    <SettingsFold of="Bundling" letter={of.letter}>
      <QuantityOf of="max_bytes" {...scaled} />
      <QuantityOf of="max_packets" {...scaled} />
      <QuantityOf of="min_iat_ms" {...scaled} />
      <Response of={of} wanted={wanted} disabled={disabled} onChange={change} />
    </SettingsFold>
  );
}

interface ResponseProps extends Pick<LaneChange, "of" | "wanted" | "disabled"> {
  readonly onChange: (to: Bundling) => void;
}

function Response({ of, wanted, disabled, onChange }: ResponseProps) {
  const inForce = of.bundling.hidden_loss_response ?? "baseline";
  const chosen = wanted.bundling?.hidden_loss_response ?? "baseline";
  const waits = chosen !== inForce && <span className={look.waiting}>on its way…</span>;
  return (
    <Field label={bundlingTerms.hidden_loss_response.title} small note={waits}>
      {(id) => (
        <SelectOne
          id={id}
          slim
          disabled={disabled}
          options={RESPONSES}
          chosen={chosen}
          onChoose={(response) => onChange({ hidden_loss_response: response })}
        />
      )}
    </Field>
  );
}
