// An address that leads nowhere, and the way back to one that does.
// SPDX-License-Identifier: Apache-2.0

import { useMemo } from "react";
import { ButtonLink } from "../design/Button";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { negotiate } from "../language/negotiate";
import { Speaking, useSay } from "../language/Speaking";
import { languages, wishes } from "../language/words";

export default function NoSuchPage() {
  const language = useMemo(() => negotiate(wishes(), languages), []);
  return (
    <Speaking language={language}>
      <Nothing />
    </Speaking>
  );
}

function Nothing() {
  const say = useSay();
  return (
    <Sheet title={say("nowhere.title")}>
      <p>{say("nowhere.text")}</p>
      <Row>
        <ButtonLink href="/">{say("nowhere.home")}</ButtonLink>
      </Row>
    </Sheet>
  );
}
