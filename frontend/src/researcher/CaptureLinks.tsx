// Both captures of a session's lane, to take away.
// SPDX-License-Identifier: Apache-2.0
import { ButtonLink } from "../design/Button";
import { Row } from "../design/Row";

interface CaptureLinksProps {
  /** Where they are, without what tells one end from the other. */
  readonly at: string;
  /** Which lane, where there are several; nothing where there is one. */
  readonly of?: string;
}

export function CaptureLinks({ at, of = "" }: CaptureLinksProps) {
  return (
    <Row>
      {(["sender", "receiver"] as const).map((end) => (
        <ButtonLink key={end} quiet slim href={`${at}/${end}.pcapng`} download>
          Capture at the {end}
          {of && `, ${of}`}
        </ButtonLink>
      ))}
    </Row>
  );
}
