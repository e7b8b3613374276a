// Links just made, for the only time: to be copied or taken home as a file.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useRef } from "react";
import type { InvitationsMade } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import { Card } from "../../design/Card";
import { TextArea } from "../../design/Field";
import { Row } from "../../design/Row";
import { CopyButton } from "../../staff/CopyButton";
import { counted } from "../../staff/format";
import { csvOf } from "./csv";
import styles from "./FreshLinks.module.css";

interface FreshLinksProps {
  readonly made: InvitationsMade;
  readonly slug: string;
}

export function FreshLinks({ made, slug }: FreshLinksProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const links = useMemo(
    () => made.paths.map((path) => new URL(path, location.origin).href),
    [made],
  );
  const file = useMemo(
    () => new Blob([csvOf(made.label, links)], { type: "text/csv" }),
    [made, links],
  );
  const address = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new links are what moves the focus
  useEffect(() => heading.current?.focus(), [made]);
  const text = links.join("\n");
  return (
    <Card aria-labelledby="fresh">
      <h2 id="fresh" ref={heading} tabIndex={-1}>
        {counted(links.length, "link")}, shown this once
      </h2>
      <p>
        Take them now. The server keeps only what it needs to recognise them and cannot show them
        again.
      </p>
      <TextArea
        className={styles.links}
        aria-label="The links, one a line"
        readOnly
        rows={Math.min(8, links.length + 1)}
        value={text}
        onFocus={(event) => event.target.select()}
      />
      <Row>
        <CopyButton text={text}>Copy all</CopyButton>
        <ButtonLink quiet slim href={address} download={`${slug}-invitations.csv`}>
          Download (CSV)
        </ButtonLink>
      </Row>
    </Card>
  );
}
