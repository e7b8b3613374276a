// A take's captures and what was heard of it, to take away.
// SPDX-License-Identifier: Apache-2.0

import type { DemoTakeRecord } from "../api/generated";
import { ButtonLink } from "../design/Button";
import { Row } from "../design/Row";
import { lanesOf } from "./takes";

interface CapturesProps {
  readonly take: DemoTakeRecord;
  /** Where the demo's files are. */
  readonly base: string;
}

const NAME = /^lane-(\d)-(.+)$/;
const WORDS: Readonly<Record<string, (letter: string) => string>> = {
  "sender.pcapng": (letter) => `Capture of lane ${letter}, sender`,
  "receiver.pcapng": (letter) => `Capture of lane ${letter}, receiver`,
  "sound.opus": (letter) => `Sound of lane ${letter}`,
};

export function Captures({ take, base }: CapturesProps) {
  const known = lanesOf(take).flatMap(({ lane, letter }) =>
    take.captures.flatMap((name) => {
      const [, number, file = ""] = NAME.exec(name) ?? [];
      const said = WORDS[file]?.(letter);
      return Number(number) === lane && said ? [{ name, lane, file, said }] : [];
    }),
  );
  if (known.length === 0) return null;
  return (
    <Row>
      {known.map(({ name, lane, file, said }) => (
        <ButtonLink
          key={name}
          quiet
          slim
          href={`${base}/takes/${take.number}/lanes/${lane}/${file}`}
          download
        >
          {said}
        </ButtonLink>
      ))}
    </Row>
  );
}
