// A text to take away: shown, selectable as a whole, with a button that copies it.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { Button } from "../design/Button";
import { Input } from "../design/Field";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { useSay } from "../language/Speaking";
import styles from "./Copyable.module.css";

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
    <div className={styles.copyable}>
      {what === "code" ? (
        <p className={styles.code} data-testid="code">
          <code>{text}</code>
        </p>
      ) : (
        <Input
          className={styles.link}
          readOnly
          value={text}
          aria-label={label}
          onFocus={(event) => event.target.select()}
        />
      )}
      <Row>
        <Button quiet slim onClick={() => void copy()}>
          {say(`copy.${what}`)}
        </Button>
        <span role="status" className={look.note}>
          {copied === "yes" && say("copy.done")}
          {copied === "failed" && say("copy.failed")}
        </span>
      </Row>
    </div>
  );
}
