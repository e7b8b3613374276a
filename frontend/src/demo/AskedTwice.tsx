// A button for what cannot be taken back: it asks once more before it is done.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import { Button } from "../design/Button";

interface AskedTwiceProps {
  readonly label: string;
  readonly yes: string;
  readonly no: string;
  /** Whether it cannot be done just now. */
  readonly disabled: boolean;
  readonly onSure: () => void;
}

export function AskedTwice({ label, yes, no, disabled, onSure }: AskedTwiceProps) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <Button quiet slim onClick={() => setAsked(true)}>
        {label}
      </Button>
    );
  }
  return (
    <>
      <Button slim disabled={disabled} onClick={onSure}>
        {yes}
      </Button>
      <Button quiet slim onClick={() => setAsked(false)}>
        {no}
      </Button>
    </>
  );
}
