// The chosen packet in words. It changes only by what the reader does, so it is
// said aloud.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import look from "../../design/look.module.css";
import type { DemoLane } from "./lanes";
import styles from "./PacketDetails.module.css";
import { packetFacts } from "./packetWords";
import type { ChartView, ChosenPacket } from "./view";

interface PacketDetailsProps {
  readonly id: string;
  readonly view: ChartView;
  readonly lanes: readonly DemoLane[];
  readonly chosen: ChosenPacket | null;
}

export function PacketDetails({ id, view, lanes, chosen }: PacketDetailsProps) {
  const name = chosen && lanes.find(({ lane }) => lane === chosen.lane);
  const packet = chosen && view.feed.store.lanes[chosen.lane]?.packet(chosen.number);
  return (
    <div
      id={id}
      data-testid="packet-details"
      className={clsx(styles.details, look.small)}
      aria-live="polite"
    >
      {packet && name ? (
        <dl>
          {packetFacts(packet, name).map(([term, words]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={look.soft}>
          {chosen
            ? "This packet is not kept any more."
            : "Click a packet, or go through them with the arrow keys: the charts stand still, and its details appear here."}
        </p>
      )}
    </div>
  );
}
