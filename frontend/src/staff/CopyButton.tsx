// Copies a text and says whether it did.
// SPDX-License-Identifier: Apache-2.0

import { type ReactNode, useState } from "react";
import { Button } from "../design/Button";
import look from "../design/look.module.css";

interface CopyButtonProps {
  readonly text: string;
  readonly children: ReactNode;
}

export function CopyButton({ text, children }: CopyButtonProps) {
  const [copied, setCopied] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied("Copied."),
      () => setCopied("Copying is not allowed here; please select the text."),
    );
  return (
    <>
      <Button quiet slim onClick={() => void copy()}>
        {children}
      </Button>
      <span role="status" className={look.note}>
        {copied}
      </span>
    </>
  );
}
