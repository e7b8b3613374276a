// Asks for a reason before something is done that stays on record.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { Field, TextArea } from "../design/Field";
import { Stack } from "../design/Stack";
import { Actions } from "../staff/Actions";
import { useAct } from "../staff/useAct";

interface ReasonDialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly optional?: boolean;
  readonly children: ReactNode;
  /** Does it; what it throws is shown and the dialog stays. */
  readonly act: (reason: string) => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { title, confirm, optional = false, children, act, onDone, onClose } = props;
  const [reason, setReason] = useState("");
  const { busy, trouble, run } = useAct();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => act(reason.trim()))) onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <Stack as="form" gap={5} onSubmit={(event) => void submit(event)}>
          {children}
          <Field
            label={optional ? "Reason (may be left empty)" : "Reason"}
            note="Kept with the study for good, and shown beside its data."
          >
            {(id) => (
              <TextArea
                id={id}
                rows={3}
                maxLength={1000}
                required={!optional}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          <Actions trouble={trouble}>
            <Button type="submit" disabled={busy || (!optional && reason.trim() === "")}>
              {confirm}
            </Button>
            <Button quiet onClick={close}>
              Cancel
            </Button>
          </Actions>
        </Stack>
      )}
    </Dialog>
  );
}
