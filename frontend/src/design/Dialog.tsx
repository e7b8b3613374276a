// What lies over the page until it is answered.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./Dialog.module.css";

interface DialogProps {
  readonly title: string;
  /** After it was closed, by `close` or by Escape. */
  readonly onClose: () => void;
  readonly className?: string | undefined;
  readonly children: (close: () => void) => ReactNode;
}

/** Modal: the browser keeps the focus in it and gives it back, and Escape closes it. */
export function Dialog({ title, onClose, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={clsx(styles.dialog, className)}
      aria-labelledby={heading}
      onClose={onClose}
    >
      <h2 id={heading}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
