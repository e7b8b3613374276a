// What the study is and what it stores; joining begins with agreeing to it.
// SPDX-License-Identifier: Apache-2.0
import { type FormEvent, useState } from "react";
import type { StudyPage } from "../api/generated";
import { Button, Sheet } from "../design/elements";

interface ConsentProps {
  readonly study: StudyPage;
  readonly onAgree: () => Promise<void>;
}

export function Consent({ study, onAgree }: ConsentProps) {
  const [agreed, setAgreed] = useState(false);
  const [joining, setJoining] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setJoining(true);
    await onAgree();
    setJoining(false);
  };
  return (
    <Sheet title={study.title}>
      <p className="lead">{study.description}</p>
      <form className="card" onSubmit={(event) => void submit(event)}>
        <h2>Before you begin</h2>
        {study.consent.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <label className="check agree">
          <input
            type="checkbox"
            required
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
          <span>I have read this and agree to take part.</span>
        </label>
        <div className="row">
          <Button type="submit" disabled={!agreed || joining}>
            {joining ? "Joining…" : "Begin"}
          </Button>
          <span className="small soft">Consent text, version {study.consent.version}</span>
        </div>
      </form>
    </Sheet>
  );
}
