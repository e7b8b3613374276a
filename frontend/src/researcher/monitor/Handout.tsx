// What goes to participants: the study's address, or invitations; and the preview.
// SPDX-License-Identifier: Apache-2.0

import { Link } from "wouter";
import { ButtonLink } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { CopyButton } from "../../staff/CopyButton";
import desk from "../desk.module.css";
import { useStudy } from "../useStudy";

export function Handout() {
  const { study } = useStudy();
  const address = new URL(study.participant_path, location.origin).href;
  const at = `/studies/${encodeURIComponent(study.slug)}`;
  const fromPanel = study.definition.panel !== null;
  const invited = study.access === "invitation";
  return (
    <TitledCard id="handout" title="Hand out">
      {fromPanel && (
        <p>
          Participants come from a panel. <Link href={`${at}/panel`}>Link and codes for it</Link>
        </p>
      )}
      {invited && (
        <p>
          Participants need an invitation of their own.{" "}
          <Link href={`${at}/invitations`}>Make invitations</Link>
        </p>
      )}
      {!(invited || fromPanel) && (
        <p>
          <strong>Open link</strong>
          <br />
          <a className={desk.address} href={study.participant_path}>
            {address}
          </a>
        </p>
      )}
      <Row>
        {!(invited || fromPanel) && <CopyButton text={address}>Copy the link</CopyButton>}
        <ButtonLink quiet slim href={`${study.participant_path}?preview`}>
          Preview as participant
        </ButtonLink>
      </Row>
      <p className={look.note}>
        A preview is the real thing, and is counted nowhere: not in balance, not in results.
      </p>
    </TitledCard>
  );
}
