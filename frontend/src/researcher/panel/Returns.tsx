// What the panel is told of each outcome. Kept on the server alone, and sent to nobody
// before it is theirs.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, useState } from "react";
import { answered, api } from "../../api/client";
import type { PanelDesk } from "../../api/generated";
import { Card } from "../../design/Card";
import { Field, Input } from "../../design/Field";
import look from "../../design/look.module.css";
import { Stack } from "../../design/Stack";
import { Submit } from "../../staff/Submit";
import { useAct } from "../../staff/useAct";
import { ofStudy, useStudy } from "../useStudy";
import { OUTCOMES } from "./outcomes";
import styles from "./Returns.module.css";

type Return = PanelDesk["returns"][number];

interface ReturnsProps {
  readonly panel: PanelDesk;
  readonly onSaved: () => void;
}

export function Returns({ panel, onSaved }: ReturnsProps) {
  const { study } = useStudy();
  const [returns, setReturns] = useState<readonly Return[]>(panel.returns);
  const [saved, setSaved] = useState(false);
  const { busy, trouble, run } = useAct();
  const change = (changed: Return) => {
    setSaved(false);
    setReturns(returns.map((one) => (one.outcome === changed.outcome ? changed : one)));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const done = await run(() =>
      answered(
        api.PUT("/api/researcher/studies/{slug}/panel", {
          ...ofStudy(study.slug),
          body: { returns: [...returns] },
        }),
      ),
    );
    setSaved(done);
    if (done) onSaved();
  };
  return (
    <Card as="form" onSubmit={(event) => void submit(event)}>
      <h2>What the panel is told</h2>
      <p>
        {panel.code_suffices
          ? "Enter the code that the panel has for each outcome: people get it, and a button that takes it there."
          : "Paste the address that the panel has for each outcome, or a code to enter there."}{" "}
        Nobody is sent one before it is theirs. They are no part of the frozen study, and in no
        export.
      </p>
      {returns.map((one) => (
        <OneReturn key={one.outcome} of={one} onChange={change} />
      ))}
      <Submit busy={busy} trouble={trouble}>
        Save
      </Submit>
      <p role="status" className={look.note}>
        {saved && "Saved. Whoever ends from now on is told this."}
      </p>
    </Card>
  );
}

interface OneReturnProps {
  readonly of: Return;
  readonly onChange: (changed: Return) => void;
}

function OneReturn({ of, onChange }: OneReturnProps) {
  const { title, when } = OUTCOMES[of.outcome];
  return (
    <fieldset className={styles.outcome}>
      <legend>{title}</legend>
      <p className={look.note}>{when}</p>
      <Stack gap={5} className={styles.fields}>
        <Field label="Code" small>
          {(id) => (
            <Input
              id={id}
              slim
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              value={of.code ?? ""}
              onChange={({ target }) => onChange({ ...of, code: target.value.trim() || null })}
            />
          )}
        </Field>
        <Field label="Address that leads back" small>
          {(id) => (
            <Input
              id={id}
              slim
              maxLength={2000}
              autoComplete="off"
              spellCheck={false}
              placeholder="https://…"
              value={of.url ?? ""}
              onChange={({ target }) => onChange({ ...of, url: target.value.trim() || null })}
            />
          )}
        </Field>
      </Stack>
    </fieldset>
  );
}
