// Path, lanes and stream at once, by a name.
// SPDX-License-Identifier: Apache-2.0
import { useId } from "react";
import type { SetUpOption } from "../../api/generated";
import { Card } from "../../design/Card";
import { Chip, Chips } from "../../design/Chip";
import look from "../../design/look.module.css";
import type { Asking } from "./asking";
import { isSetUp } from "./setUps";

interface SetUpCardProps extends Asking {
  readonly setUps: readonly SetUpOption[];
}

export function SetUpCard({ state, onItsWay, setUps, disabled, onWish }: SetUpCardProps) {
  const heading = useId();
  const waits = onItsWay.some((wish) => wish.do === "set_up");
  return (
    <Card aria-labelledby={heading}>
      <h2 id={heading}>Set-up</h2>
      <Chips name="Set-ups">
        {setUps.map(({ name, title, description, settings }) => (
          <Chip
            key={name}
            title={description}
            aria-pressed={isSetUp(state, settings)}
            disabled={disabled}
            onClick={() => onWish({ do: "set_up", to: settings })}
          >
            {title}
          </Chip>
        ))}
      </Chips>
      {waits && <p className={look.waiting}>A new take is being opened…</p>}
      <p className={look.note}>Path, lanes and stream at once, in a new take.</p>
    </Card>
  );
}
