// The lanes while the audience must not know which is which, and may see this
// screen: letters to listen by, and nothing more.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { LaneState, PollState } from "../../api/generated";
import { Button } from "../../design/Button";
import bareList from "../../design/bareList.module.css";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { inLetters } from "../letters";
import styles from "./Covered.module.css";
import { HearButton } from "./HearButton";
import laneGrid from "./laneGrid.module.css";
import { Votes } from "./Votes";

interface CoveredProps {
  readonly lanes: readonly LaneState[];
  /** Of which lane this page's sound is; null: it is silent. */
  readonly heard: number | null;
  readonly audible: boolean;
  readonly poll: PollState | null;
  readonly onHear: (lane: number) => void;
  readonly onUncover: () => void;
}

export function Covered({ lanes, heard, audible, poll, onHear, onUncover }: CoveredProps) {
  return (
    <Card className={styles.covered} aria-label="Listen">
      <ul className={clsx(bareList.bareList, laneGrid.lanes)}>
        {inLetters(lanes).map(({ letter, lane }, place) => (
          <li key={letter}>
            <HearButton
              lane={{ letter, name: "" }}
              audible={audible}
              heard={heard === lane}
              place={place + 1}
              large
              onHear={() => onHear(lane)}
            />
          </li>
        ))}
      </ul>
      {poll && <Votes poll={poll} told={false} />}
      <Row>
        <Button quiet slim onClick={onUncover}>
          Show the conditions on this screen
        </Button>
        <span className={look.note}>
          They are covered here, as the room may see this screen too.
        </span>
      </Row>
    </Card>
  );
}
