// Where somebody whom a panel has sent ends without having done it all: why, and the way back.
// SPDX-License-Identifier: Apache-2.0

import type { PanelEnd, StudyPage } from "../api/generated";
import { Card } from "../design/Card";
import { Sheet } from "../design/Sheet";
import { useSay } from "../language/Speaking";
import { BackToPanel } from "./BackToPanel";
import { Contact } from "./Thanks";

interface EndedProps {
  readonly study: StudyPage;
  readonly end: PanelEnd;
}

export function Ended({ study, end }: EndedProps) {
  const say = useSay();
  // The others have pages of their own, or nothing to say.
  const why = ["declined", "full", "screened_out", "timed_out"].find(
    (outcome) => outcome === end.outcome,
  ) as "declined" | "full" | "screened_out" | "timed_out" | undefined;
  const minutes = study.panel?.deadline_minutes ?? 0;
  return (
    <Sheet title={say(why ? `ended.${why}.title` : "took_part.title")}>
      <Card as="div">
        <p role="status">
          {why === "timed_out"
            ? say("ended.timed_out.text", { minutes })
            : say(why ? `ended.${why}.text` : "took_part.text")}
        </p>
      </Card>
      <BackToPanel study={study} end={end} />
      <Contact study={study} />
    </Sheet>
  );
}
