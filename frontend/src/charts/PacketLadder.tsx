// Packets between the two ends in a stretch of time: lines from rail to rail,
// those that the emulator dropped end at its rail. What a packet was for shows
// in its mark's shape and in its colour.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import look from "../design/look.module.css";
import { Now, TimeTicks, text } from "./LatencyStrip";
import legend from "./legend.module.css";
import { Mark, type MarkShape } from "./Mark";
import { place, type TimeWindow } from "./timeWindow";
import styles from "./typed.module.css";

const WIDTH = 1000;
const HEIGHT = 250;
const SENDER = 34;
const RECEIVER = 208;
const EMULATOR = (SENDER + RECEIVER) / 2;

const RAILS = [
  ["Sender: keys", SENDER],
  ["Emulator", EMULATOR],
  ["Receiver: echoes", RECEIVER],
] as const;

export type PacketKind = "control" | "acknowledgement" | "new" | "bundle" | "retransmission";

export interface LadderPacket {
  readonly forward: boolean;
  readonly kind: PacketKind;
  readonly sent_us: number;
  readonly arrived_us: number | null;
  readonly start: number;
  readonly end: number;
}

const KINDS: Readonly<Record<PacketKind, { readonly name: string; readonly shape?: MarkShape }>> = {
  new: { name: "New bytes", shape: "circle" },
  bundle: { name: "Bundle: old bytes in front of new", shape: "square" },
  retransmission: { name: "Retransmission", shape: "triangle" },
  acknowledgement: { name: "Acknowledgement" },
  control: { name: "Opens or closes" },
};

interface PacketLadderProps {
  readonly packets: readonly LadderPacket[];
  readonly window: TimeWindow;
  readonly at_us: number;
  /** How long a packet that came through took; a lost one is drawn half as long. */
  readonly one_way_us: number;
}

export function PacketLadder({ packets, window, at_us, one_way_us }: PacketLadderProps) {
  const shown = packets.filter(
    ({ sent_us, arrived_us }) =>
      sent_us <= window.to_us && (arrived_us ?? sent_us + one_way_us / 2) >= window.from_us,
  );
  const lost = shown.filter(({ arrived_us }) => arrived_us === null).length;
  return (
    <figure className={legend.chart}>
      <Legend />
      <svg
        className={styles.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Packets from ${text(window.from_us)} to ${text(window.to_us)}: ${shown.length}, of which ${lost} lost`}
      >
        <TimeTicks window={window} height={HEIGHT} />
        {RAILS.map(([name, y]) => (
          <line key={name} className={styles.rail} x1={0} x2={WIDTH} y1={y} y2={y} />
        ))}
        {shown.map((packet) => (
          <Line
            key={`${packet.forward} ${packet.sent_us} ${packet.start} ${packet.kind}`}
            packet={packet}
            window={window}
            one_way_us={one_way_us}
          />
        ))}
        {RAILS.map(([name, y]) => (
          <text key={name} className={styles.tick} x={4} y={y - 6}>
            {name}
          </text>
        ))}
        <Now at_us={at_us} window={window} height={RECEIVER + 14} />
      </svg>
    </figure>
  );
}

interface LineProps {
  readonly packet: LadderPacket;
  readonly window: TimeWindow;
  readonly one_way_us: number;
}

function Line({ packet, window, one_way_us }: LineProps) {
  const { forward, kind, sent_us, arrived_us, start, end } = packet;
  const [from, to] = forward ? [SENDER, RECEIVER] : [RECEIVER, SENDER];
  const x1 = place(sent_us, window, WIDTH);
  const lost = arrived_us === null;
  const x2 = place(arrived_us ?? sent_us + one_way_us / 2, window, WIDTH);
  const { name, shape } = KINDS[kind];
  return (
    <g>
      <title>
        {`${name}, ${forward ? "keys" : "echoes"}${end > start ? `, bytes ${start} to ${end - 1}` : ""}, ${lost ? "lost" : `${Math.round((arrived_us - sent_us) / 1000)} ms`}`}
      </title>
      <line
        className={clsx(styles.packet, styles[`packet-${kind}`], lost && styles.lost)}
        x1={x1}
        x2={x2}
        y1={from}
        y2={lost ? EMULATOR : to}
      />
      {shape && (
        <Mark shape={shape} className={styles[`packet-${kind}`]} x={x1} y={from} size={4.4} />
      )}
      {lost && <Mark shape="cross" x={x2} y={EMULATOR} size={5} />}
    </g>
  );
}

function Legend() {
  return (
    <figcaption className={clsx(legend.legend, look.small)}>
      {(Object.keys(KINDS) as PacketKind[]).map((kind) => (
        <span key={kind}>
          <svg className={clsx(styles.keyMark, styles.wide)} viewBox="0 0 26 12" aria-hidden="true">
            <line
              className={clsx(styles.packet, styles[`packet-${kind}`])}
              x1={1}
              x2={25}
              y1={6}
              y2={6}
            />
            {KINDS[kind].shape && (
              <Mark
                shape={KINDS[kind].shape}
                className={styles[`packet-${kind}`]}
                x={8}
                y={6}
                size={4}
              />
            )}
          </svg>
          {KINDS[kind].name}
        </span>
      ))}
      <span>
        <svg className={clsx(styles.keyMark, styles.wide)} viewBox="0 0 26 12" aria-hidden="true">
          <line
            className={clsx(styles.packet, styles["packet-new"], styles.lost)}
            x1={1}
            x2={16}
            y1={6}
            y2={6}
          />
          <Mark shape="cross" x={20} y={6} size={4} />
        </svg>
        Lost
      </span>
    </figcaption>
  );
}
