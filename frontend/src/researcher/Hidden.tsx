// While votes are hidden: why, and the two ways to see them.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { Button } from "../design/Button";
import { TitledCard } from "../design/Card";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { type StateChange, StateDialog } from "./StateDialog";
import { TargetBars } from "./TargetBars";
import { useStudy } from "./useStudy";

export function Hidden({ what }: { readonly what: string }) {
  const { study } = useStudy();
  const [asked, setAsked] = useState<StateChange | null>(null);
  return (
    <>
      <Notice title={`${what} can be seen when the study has ended`}>
        <p>
          Until then nobody sees which way people voted, not even you. Anyone who knows how it looks
          so far treats the next participant differently, meaning to or not, and is tempted to stop
          when it looks well.
        </p>
      </Notice>
      <TitledCard id="until" title="When that is">
        {study.targets.length === 0 && !study.stops_on && (
          <p>The study declares no stop rule: it ends when you close it.</p>
        )}
        <TargetBars targets={study.targets} stopsOn={study.stops_on} />
        <Row>
          <Button onClick={() => setAsked("close")}>Close the study</Button>
          <Button quiet onClick={() => setAsked("unblind")}>
            Look early (is recorded as a deviation)
          </Button>
        </Row>
      </TitledCard>
      {asked && <StateDialog change={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
