// A text to take away: shown, selectable as a whole, with a button that copies it.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import { Button } from "../design/elements";
import { useSay } from "../language/Speaking";

interface CopyableProps {
  readonly text: string;
  readonly what: "code" | "link";
  /** For who does not see where it stands. */
  readonly label: string;
}

export function Copyable({ text, what, label }: CopyableProps) {
  const say = useSay();
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");
  // Without https a browser has no clipboard to offer.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("yes");
    } catch {
      setCopied("failed");
    }
  };
  return (
    <div className="copyable">
      {what === "code" ? (
        <p className="code">
          <code>{text}</code>
        </p>
      ) : (
        <input
          className="input link"
          readOnly
          value={text}
          aria-label={label}
          onFocus={(event) => event.target.select()}
        />
      )}
      <div className="row">
        <Button quiet slim onClick={() => void copy()}>
          {say(`copy.${what}`)}
        </Button>
        <span role="status" className="small soft">
          {copied === "yes" && say("copy.done")}
          {copied === "failed" && say("copy.failed")}
        </span>
      </div>
    </div>
  );
}
