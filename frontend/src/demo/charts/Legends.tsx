// The charts' legends: drawn with the same marks, colours and dashes.
// SPDX-License-Identifier: Apache-2.0
import type { PlayoutEventKind } from "../../api/generated";
import { SOUND_LOOKS } from "./drawSound";
import { type DemoLane, dashOf, lookOf, titleOf } from "./lanes";
import { LOOK_NAMES, LOOKS, type PacketLook } from "./packetLook";
import { addMark, type MarkShape } from "./pen";
import { SvgPen } from "./svgPen";

export function LaneLegend({ lanes, also }: { lanes: readonly DemoLane[]; also?: string }) {
  return (
    <p className="legend small">
      {lanes.map((lane) => (
        <span key={lane.letter}>
          <svg className="stroke" viewBox="0 0 32 6" aria-hidden="true">
            <line
              x1="0"
              x2="32"
              y1="3"
              y2="3"
              className={`demo-lane-${lookOf(lane) + 1}`}
              strokeDasharray={dashOf(lane).join(" ")}
            />
          </svg>
          {titleOf(lane)}
        </span>
      ))}
      {also && <span className="soft">{also}</span>}
    </p>
  );
}

/** A mark's outline as the charts draw it. */
function outline(shape: MarkShape, x: number, y: number, size: number): string {
  const svg = new SvgPen({ width: 0, height: 0 }, () => 0);
  addMark(svg.pen, shape, x, y, size);
  return svg.path;
}

const kebab = (look: string) => look.toLowerCase();

export function PacketLegend() {
  return (
    <p className="legend small">
      {LOOK_NAMES.map((look) => (
        <span key={look}>
          <PacketSample look={look} />
          {LOOKS[look].name}
        </span>
      ))}
      <span>
        <svg className="demo-sample" viewBox="0 0 30 12" aria-hidden="true">
          <path className="demo-packet-new" d="M1 6H20" strokeDasharray="4 3" fill="none" />
          <path
            className="demo-packet-lost"
            d={outline("cross", 23, 6, 4)}
            strokeWidth={2}
            fill="none"
          />
        </svg>
        Lost: ends at the emulator
      </span>
    </p>
  );
}

function PacketSample({ look }: { readonly look: PacketLook }) {
  const { shape, dash, width } = LOOKS[look];
  const open = shape === "bar" || shape === "downDotted";
  return (
    <svg className="demo-sample" viewBox="0 0 30 12" aria-hidden="true">
      <path
        className={`demo-packet-${kebab(look)}`}
        d="M1 6H29"
        strokeWidth={width}
        strokeDasharray={dash.join(" ")}
        fill="none"
      />
      {shape && (
        <path
          className={`demo-packet-${kebab(look)} ${shape === "bar" ? "" : "filled"}`}
          d={outline(shape, 9, open ? 5 : 6, 3.4)}
        />
      )}
    </svg>
  );
}

export function SoundLegend() {
  return (
    <p className="legend small">
      {(Object.keys(SOUND_LOOKS) as PlayoutEventKind[]).map((kind) => (
        <span key={kind}>
          <svg className={`demo-sample demo-sound-${kind}`} viewBox="0 0 30 12" aria-hidden="true">
            <SoundSample kind={kind} />
          </svg>
          {SOUND_LOOKS[kind].name}
        </span>
      ))}
      <span className="soft">Line: sound in store</span>
    </p>
  );
}

function SoundSample({ kind }: { readonly kind: PlayoutEventKind }) {
  switch (kind) {
    case "silent":
      return <rect className="filled" x={1} y={0} width={28} height={12} />;
    case "concealed":
      return (
        <>
          <rect className="filled" x={1} y={0} width={28} height={12} opacity={0.25} />
          <path d="M1.5 .5H28.5V11.5H1.5ZM1 4H29M1 8H29" fill="none" strokeWidth={1} />
        </>
      );
    case "stretched":
      return <rect className="filled" x={1} y={0} width={28} height={4} />;
    case "compressed":
      return <rect className="filled" x={1} y={8} width={28} height={4} />;
    case "dropped":
      return <path d={outline("cross", 15, 6, 5)} fill="none" strokeWidth={2} />;
  }
}
