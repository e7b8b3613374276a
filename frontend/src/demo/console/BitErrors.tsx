// The radio link that a direction goes over: for how long it is good and bad, and what it flips.
// SPDX-License-Identifier: Apache-2.0
import type { Direction, BitErrors as Errors } from "../../api/generated";
import { bitErrorsTerms, pathTerms } from "../../api/generatedTerms";
import { Check } from "../../design/Field";
import look from "../../design/look.module.css";
import { Quantity } from "./Quantity";
import { BIT_ERRORS, type BitErrorsNumber, FIRST_BIT_ERRORS } from "./scales";
import { withBitErrors } from "./withBitErrors";

interface BitErrorsProps {
  readonly direction: Direction;
  readonly inForce: Direction;
  readonly disabled: boolean;
  readonly onApply: (direction: Direction) => void;
}

export function BitErrors({ direction, inForce, disabled, onApply }: BitErrorsProps) {
  const errors = direction.bit_errors;
  const apply = (bit_errors: Errors | null) => onApply({ ...direction, bit_errors });
  return (
    <>
      <Check className={look.small}>
        <input
          type="checkbox"
          checked={errors !== null}
          disabled={disabled}
          onChange={(event) => apply(event.target.checked ? FIRST_BIT_ERRORS : null)}
        />
        {pathTerms.bit_errors.title}
      </Check>
      {errors && (
        <>
          {(Object.keys(BIT_ERRORS) as BitErrorsNumber[]).map((key) => (
            <Quantity
              key={key}
              scale={BIT_ERRORS[key]}
              value={errors[key] ?? 0}
              onItsWay={errors[key] !== inForce.bit_errors?.[key]}
              disabled={disabled}
              onApply={(value) => apply(withBitErrors(errors, { [key]: value }))}
            />
          ))}
          <Check className={look.small}>
            <input
              type="checkbox"
              checked={errors.at_end ?? false}
              disabled={disabled}
              onChange={(event) => apply({ ...errors, at_end: event.target.checked })}
            />
            {bitErrorsTerms.at_end.title}
          </Check>
        </>
      )}
    </>
  );
}
