// The lanes while the audience must not know which is which, and may see this
// screen: letters to listen by, and nothing more.
// SPDX-License-Identifier: Apache-2.0
import type { LaneState, PollState } from "../../api/generated";
import { Button } from "../../design/elements";
import { inLetters } from "../letters";
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
    <section className="card covered" aria-label="Listen">
      <ul className="lanes">
        {inLetters(lanes).map(({ letter, lane }, place) => (
          <li key={letter}>
            <button
              type="button"
              className="hear"
              aria-pressed={audible && heard === lane}
              aria-keyshortcuts={String(place + 1)}
              disabled={!audible}
              onClick={() => onHear(lane)}
            >
              <span className="letter">{letter}</span>
              <span className="name">
                <small>{audible && heard === lane ? "You hear it" : "Hear it"}</small>
              </span>
              <kbd>{place + 1}</kbd>
            </button>
          </li>
        ))}
      </ul>
      {poll && <Votes poll={poll} told={false} />}
      <div className="row">
        <Button quiet slim onClick={onUncover}>
          Show the conditions on this screen
        </Button>
        <span className="small soft">
          They are covered here, as the room may see this screen too.
        </span>
      </div>
    </section>
  );
}
