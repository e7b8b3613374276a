// A take's captures, to take away.
// SPDX-License-Identifier: Apache-2.0
import type { DemoTakeRecord } from "../api/generated";

interface CapturesProps {
  readonly take: DemoTakeRecord;
  /** Where the demo's files are. */
  readonly base: string;
}

const NAME = /^lane-(\d)-(sender|receiver)\.pcapng$/;

export function Captures({ take, base }: CapturesProps) {
  const known = take.captures.flatMap((name) => {
    const [, lane, end] = NAME.exec(name) ?? [];
    return lane && end ? [{ name, lane, end }] : [];
  });
  if (known.length === 0) return null;
  return (
    <div className="row">
      {known.map(({ name, lane, end }) => (
        <a
          key={name}
          className="button quiet slim"
          href={`${base}/takes/${take.number}/lanes/${lane}/${end}.pcapng`}
          download
        >
          Capture of lane {Number(lane) + 1}, {end}
        </a>
      ))}
    </div>
  );
}
