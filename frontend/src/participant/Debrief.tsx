// At the end, where the study tells it: what was what, what one chose, and what
// happened to the packets of exactly what one heard or typed. Fetched when asked for,
// so that nobody holds it who does not want to know.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { answered, api, Problem, patience } from "../api/client";
import type { DebriefSide, DebriefTrial } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { useSay } from "../language/Speaking";
import { rounded } from "../language/translation";
import styles from "./Debrief.module.css";

type Told = readonly DebriefTrial[] | "unasked" | "asking" | "later" | "lost";

export function Debrief({ participant_token }: { readonly participant_token: string }) {
  const say = useSay();
  const [told, setTold] = useState<Told>("unasked");
  const ask = async () => {
    setTold("asking");
    const headers = { Authorization: `Bearer ${participant_token}` };
    try {
      const call = api.GET("/api/participation/debrief", { headers, signal: patience() });
      setTold((await answered(call)).trials);
    } catch (error) {
      setTold(error instanceof Problem && error.kind === "not-yet" ? "later" : "lost");
    }
  };
  return (
    <Card aria-labelledby="debrief">
      <h2 id="debrief">{say("debrief.title")}</h2>
      {typeof told === "string" ? (
        <>
          <p>{say(told === "later" ? "debrief.later" : "debrief.text")}</p>
          {told !== "later" && (
            <Button quiet disabled={told === "asking"} onClick={() => void ask()}>
              {say("debrief.show")}
            </Button>
          )}
          {told === "lost" && <Notice tone="warn" title={say("debrief.lost")} />}
        </>
      ) : (
        <ol className={styles.debrief} data-testid="debrief">
          {told.map((trial) => (
            <li key={trial.position}>
              <One trial={trial} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function One({ trial }: { readonly trial: DebriefTrial }) {
  const say = useSay();
  const { first, second, one_twice, answer } = trial;
  return (
    <>
      <p>
        <strong>{say("debrief.answer", { answer })}</strong> {one_twice && say("debrief.twice")}
      </p>
      <dl>
        <Side label={second && !one_twice ? say("player.first") : null} side={first} />
        {second && !one_twice && <Side label={say("player.second")} side={second} />}
      </dl>
    </>
  );
}

function Side({ label, side }: { readonly label: string | null; readonly side: DebriefSide }) {
  const say = useSay();
  const { name, packets, lost_packets, late_share, longest_stall_ms } = side;
  const facts = [
    packets === null
      ? say("debrief.not_sent")
      : say("debrief.lost_packets", { lost: lost_packets, packets }),
    late_share !== null && say("debrief.late", { percent: rounded(100 * late_share, 1) }),
    longest_stall_ms !== null &&
      say("debrief.stall", { seconds: rounded(longest_stall_ms / 1000, 2) }),
  ];
  return (
    <div>
      <dt>
        {label && `${label}: `}
        {name}
      </dt>
      <dd className={look.note}>{facts.filter(Boolean).join(" ")}</dd>
    </div>
  );
}
