// All lanes, in the order of their letters, and how many there are.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useId } from "react";
import type { BaselineOption, DemoLane, MechanismOption, ModeOption } from "../../api/generated";
import bareList from "../../design/bareList.module.css";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { Segments } from "../../design/Segments";
import { Stack } from "../../design/Stack";
import { inLetters } from "../letters";
import type { Asking } from "./asking";
import { LaneCard } from "./LaneCard";
import styles from "./Lanes.module.css";
import laneGrid from "./laneGrid.module.css";
import { mechanismsOf } from "./senders";
import { laneOf, wantedLane } from "./undoing";

interface LanesProps extends Asking {
  readonly baselines: readonly BaselineOption[];
  readonly mechanisms: readonly MechanismOption[];
  readonly modes: readonly ModeOption[];
  readonly most: number;
  /** Of which lane this page's sound is; null: it is silent. */
  readonly heard: number | null;
  readonly audible: boolean;
  readonly onHear: (lane: number) => void;
}

const COUNTS = { "1": "1", "2": "2", "3": "3", "4": "4" } as const;

export function Lanes(props: LanesProps) {
  const { state, onItsWay, baselines, mechanisms, modes, most, heard, audible, disabled } = props;
  const { onHear, onWish } = props;
  const heading = useId();
  const waits = onItsWay.some((wish) => wish.do === "set_lanes");
  const setCount = (count: number) => {
    const kept = state.lanes.slice(0, count).map(laneOf);
    const last = kept.at(-1);
    if (!last) return;
    const added = Array.from({ length: count - kept.length }, (_, more) =>
      another(last, mechanismsOf(last.baseline, baselines, mechanisms), kept.length + more),
    );
    onWish({ do: "set_lanes", lanes: [...kept, ...added] });
  };
  const counts = Object.fromEntries(
    Object.entries(COUNTS).filter(([count]) => Number(count) <= most),
  );
  return (
    <Stack as="section" gap={2} aria-labelledby={heading}>
      <Row spread className={styles.head}>
        <h2 id={heading}>Lanes: the same stream, the same path, another sender</h2>
        <Row className={look.small}>
          {waits && <span className={look.waiting}>A new take is being opened…</span>}
          {!disabled && (
            <Segments
              name="How many lanes; another number begins a new take"
              options={counts}
              chosen={String(state.lanes.length)}
              onChoose={(count) => setCount(Number(count))}
            />
          )}
        </Row>
      </Row>
      <ul className={clsx(bareList.bareList, laneGrid.lanes)}>
        {inLetters(state.lanes).map((lane, place) => (
          <LaneCard
            key={lane.lane}
            lane={lane}
            wanted={wantedLane(lane, onItsWay)}
            baselines={baselines}
            mechanisms={mechanisms}
            modes={modes}
            audible={audible}
            heard={heard === lane.lane}
            place={place + 1}
            disabled={disabled}
            onHear={() => onHear(lane.lane)}
            onChange={(to) => onWish({ do: "set_lane", lane: lane.lane, to })}
          />
        ))}
      </ul>
    </Stack>
  );
}

/** A lane more: with one mechanism alone, another for each place. */
function another(
  { baseline }: DemoLane,
  mechanisms: readonly MechanismOption[],
  place: number,
): DemoLane {
  const there = mechanisms.filter(({ available }) => available);
  const one = there[place % Math.max(1, there.length)];
  const alone = one ? [one.name as DemoLane["mechanisms"][number]] : [];
  return { name: null, baseline, mechanisms: alone };
}
