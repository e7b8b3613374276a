// Leaving a study: asked once more, and then what has happened.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import type { StudyPage } from "../api/generated";
import { Button, Sheet } from "../design/elements";
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
      <div className="card">
        <p>
          {study ? say("withdraw.text", { title: study.title }) : say("withdraw.text.untitled")}
        </p>
        <p>{say("withdraw.stays")}</p>
        <div className="row">
          <Button className="grave" disabled={working} onClick={() => void withdraw()}>
            {say(working ? "withdraw.working" : "withdraw.yes")}
          </Button>
          <Button quiet disabled={working} onClick={goBack}>
            {say("withdraw.no")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

export function Withdrawn({ study }: { readonly study: StudyPage | null }) {
  const say = useSay();
  return (
    <Sheet title={say("withdrawn.title")}>
      <div className="card">
        <p className="lead">{say("withdrawn.text")}</p>
        <p>{say("withdraw.stays")}</p>
        <p>{say("withdrawn.thanks")}</p>
      </div>
      {study && <Contact study={study} />}
    </Sheet>
  );
}
