// What takes a change back, and what is wanted while changes are on their way.
// SPDX-License-Identifier: Apache-2.0
import type {
  ConsoleCommand,
  DemoLane,
  DemoSettings,
  DemoState,
  LaneState,
  Path,
  SyntheticStream,
} from "../../api/generated";

type Plain<C> = C extends unknown ? Omit<C, "command"> : never;
/** What a console can ask for. */
export type Wish = Plain<ConsoleCommand>;

/** A lane as a console asks for it. */
export const laneOf = (lane: LaneState): DemoLane => ({
  name: lane.named ? lane.name : null,
  baseline: lane.baseline,
  mechanisms: lane.mechanisms,
  bundling: lane.bundling,
  ...(lane.sctp && { sctp: lane.sctp }),
  ...(lane.udp_lite && { udp_lite: lane.udp_lite }),
});

/** All of a demo as a console asks for it. */
export const settingsOf = ({ path, lanes, stream }: DemoState): DemoSettings => ({
  path,
  lanes: lanes.map(laneOf),
  stream,
});

/** What would bring back what the wish changes; null where that is no setting. */
export function inverseOf(wish: Wish, state: DemoState): Wish | null {
  switch (wish.do) {
    case "set_path":
      return { do: "set_path", path: state.path };
    case "set_lane": {
      const lane = state.lanes[wish.lane];
      return lane ? { do: "set_lane", lane: wish.lane, to: laneOf(lane) } : null;
    }
    case "set_synthetic": {
      if (state.stream.kind !== "synthetic") return null;
      const { payload_bytes, iat_ms } = state.stream;
      return { do: "set_synthetic", payload_bytes, iat_ms };
    }
    case "set_up":
      return { do: "set_up", to: settingsOf(state) };
    default:
      return null;
  }
}

/** The path when all that is on its way has arrived. */
export function wantedPath(state: DemoState, onItsWay: readonly Wish[]): Path {
  const wish = onItsWay.findLast((one) => one.do === "set_path");
  return wish ? wish.path : state.path;
}

/** The lane likewise. */
export function wantedLane(lane: LaneState, onItsWay: readonly Wish[]): DemoLane {
  const wish = onItsWay.findLast((one) => one.do === "set_lane" && one.lane === lane.lane);
  return wish?.do === "set_lane" ? wish.to : laneOf(lane);
}

/** The synthetic stream likewise. */
export function wantedSynthetic(
  stream: SyntheticStream,
  onItsWay: readonly Wish[],
): SyntheticStream {
  const wish = onItsWay.findLast((one) => one.do === "set_synthetic");
  if (!wish) return stream;
  return { kind: "synthetic", payload_bytes: wish.payload_bytes, iat_ms: wish.iat_ms };
}
