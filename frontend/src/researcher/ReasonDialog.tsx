// Asks for a reason before something is done that stays on record.
// SPDX-License-Identifier: Apache-2.0
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button, Notice } from "../design/elements";
import { useAct } from "./useAct";

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

/** A modal dialog: the browser keeps the focus in it, and Escape closes it. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, confirm, optional = false, children, act, onDone, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const field = useId();
  const [reason, setReason] = useState("");
  const { busy, trouble, run } = useAct();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => act(reason.trim()))) onDone();
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={heading}>{title}</h2>
        {children}
        <div className="field">
          <label htmlFor={field}>{optional ? "Reason (may be left empty)" : "Reason"}</label>
          <textarea
            id={field}
            className="input"
            rows={3}
            maxLength={1000}
            required={!optional}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <span className="small soft">
            Kept with the study for good, and shown beside its data.
          </span>
        </div>
        <div role="alert">{trouble && <Notice tone="bad">{trouble}</Notice>}</div>
        <div className="row">
          <Button type="submit" disabled={busy || (!optional && reason.trim() === "")}>
            {confirm}
          </Button>
          <Button quiet onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        </div>
      </form>
    </dialog>
  );
}
