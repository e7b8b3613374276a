// Leaving a study: asked once more, and then what has happened.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { StudyPage } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { useSay } from "../language/Speaking";
import { Contact } from "./Thanks";

interface WithdrawProps {
  readonly study: StudyPage | null;
  readonly onWithdraw: () => Promise<void>;
}

/** To the study's own address, where the page finds what it remembers. */
function goBack(): void {
  location.hash = "";
}

export function Withdraw({ study, onWithdraw }: WithdrawProps) {
  const say = useSay();
  const [working, setWorking] = useState(false);
  const withdraw = async () => {
    setWorking(true);
    await onWithdraw();
  };
  return (
    <Sheet title={say("withdraw.title")}>
      <Card as="div">
        <p>
          {study ? say("withdraw.text", { title: study.title }) : say("withdraw.text.untitled")}
        </p>
        <p>{say("withdraw.stays")}</p>
        <Row>
          <Button grave disabled={working} onClick={() => void withdraw()}>
            {say(working ? "withdraw.working" : "withdraw.yes")}
          </Button>
          <Button quiet disabled={working} onClick={goBack}>
            {say("withdraw.no")}
          </Button>
        </Row>
      </Card>
    </Sheet>
  );
}

export function Withdrawn({ study }: { readonly study: StudyPage | null }) {
  const say = useSay();
  return (
    <Sheet title={say("withdrawn.title")}>
      <Card as="div">
        <p className={look.lead}>{say("withdrawn.text")}</p>
        <p>{say("withdraw.stays")}</p>
        {study?.panel && (
          <p>{say("withdrawn.panel", { panel: study.panel.title ?? say("panel.any") })}</p>
        )}
        <p>{say("withdrawn.thanks")}</p>
      </Card>
      {study && <Contact study={study} />}
    </Sheet>
  );
}
