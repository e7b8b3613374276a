// Blind mode, the vote, and the moment when the room is told.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, useId, useState } from "react";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import { Input } from "../../design/Field";
import look from "../../design/look.module.css";
import { Toggle } from "../../design/Toggle";
import type { Asking } from "./asking";
import styles from "./BlindCard.module.css";
import { Votes } from "./Votes";

interface BlindCardProps extends Asking {
  /** Whether this screen shows no more than letters, and the votes among them. */
  readonly covered: boolean;
}

export function BlindCard({ state, onItsWay, covered, disabled, onWish }: BlindCardProps) {
  const { blind, poll } = state;
  const heading = useId();
  const wish = onItsWay.find((one) => one.do === "blind");
  const waits = wish !== undefined && wish.on !== blind;
  return (
    <Card aria-labelledby={heading}>
      <h2 id={heading}>Blind mode and vote</h2>
      <Toggle
        checked={blind}
        disabled={disabled}
        onChange={() => onWish({ do: "blind", on: !blind })}
      >
        The audience knows letters only
        {waits && <span className={look.waiting}>on its way…</span>}
      </Toggle>
      {poll && !covered && <Votes poll={poll} told={!blind} />}
      {poll?.open ? (
        <Button quiet slim disabled={disabled} onClick={() => onWish({ do: "close_poll" })}>
          Close the poll
        </Button>
      ) : (
        <Ask disabled={disabled || state.lanes.length < 2} onWish={onWish} />
      )}
      {blind && (
        <Button disabled={disabled} onClick={() => onWish({ do: "reveal" })}>
          Reveal
        </Button>
      )}
    </Card>
  );
}

function Ask({ disabled, onWish }: Pick<Asking, "disabled" | "onWish">) {
  const [question, setQuestion] = useState("Which sounds better?");
  const id = useId();
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim()) onWish({ do: "open_poll", question: question.trim() });
  };
  return (
    <form className={styles.ask} onSubmit={ask}>
      <label htmlFor={id} className={look.small}>
        Ask the audience
      </label>
      <Input
        id={id}
        slim
        maxLength={200}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
      />
      <Button quiet slim type="submit" disabled={disabled || !question.trim()}>
        Open the poll
      </Button>
    </form>
  );
}
