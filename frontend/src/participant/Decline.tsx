// Reading what a study is about and leaving it at that: for good, since the panel is told.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { Button } from "../design/Button";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { Stack } from "../design/Stack";
import { useSay } from "../language/Speaking";

interface DeclineProps {
  readonly panel: string;
  readonly onDecline: () => Promise<void>;
}

export function Decline({ panel, onDecline }: DeclineProps) {
  const say = useSay();
  const [at, setAt] = useState<"offered" | "asked" | "sent">("offered");
  if (at === "offered") {
    return (
      <Row>
        <Button quiet onClick={() => setAt("asked")}>
          {say("decline")}
        </Button>
      </Row>
    );
  }
  const decline = async () => {
    setAt("sent");
    await onDecline();
    setAt("offered");
  };
  return (
    <Stack gap={4} role="alert">
      <Notice>{say("decline.sure", { panel })}</Notice>
      <Row>
        <Button grave disabled={at === "sent"} onClick={() => void decline()}>
          {say("decline.yes")}
        </Button>
        <Button quiet disabled={at === "sent"} onClick={() => setAt("offered")}>
          {say("decline.no")}
        </Button>
      </Row>
    </Stack>
  );
}
