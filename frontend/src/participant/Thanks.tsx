// The end: the code that proves completion, once the server holds every answer.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import type { StudyPage } from "../api/generated";
import { Button, Sheet } from "../design/elements";

interface ThanksProps {
  readonly study: StudyPage;
  readonly code: string;
}

export function Thanks({ study, code }: ThanksProps) {
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => setCopied("yes"),
      () => setCopied("failed"),
    );
  return (
    <Sheet title="Thank you">
      <p className="lead">All your answers have arrived. You can close this page.</p>
      <div className="card">
        <h2>Your completion code</h2>
        <p className="code">
          <code>{code}</code>
        </p>
        <div className="row">
          <Button quiet onClick={() => void copy()}>
            Copy the code
          </Button>
          <span role="status" className="small soft">
            {copied === "yes" && "Copied."}
            {copied === "failed" && "Copying is not allowed here; please select the code."}
          </span>
        </div>
        <p className="small soft">Hand it to whoever invited you.</p>
      </div>
      {study.credits.length > 0 && (
        <section className="small soft" aria-labelledby="credits">
          <h2 id="credits" className="small">
            What you heard
          </h2>
          {study.credits.map((credit) => (
            <p key={credit}>{credit}</p>
          ))}
        </section>
      )}
    </Sheet>
  );
}
