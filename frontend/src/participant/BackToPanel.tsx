// What takes somebody back to the panel that sent them: a code to copy, a way back, or both.
// SPDX-License-Identifier: Apache-2.0

import type { PanelEnd, StudyPage } from "../api/generated";
import { ButtonLink } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { useSay } from "../language/Speaking";
import { Copyable } from "./Copyable";

interface BackToPanelProps {
  readonly study: StudyPage;
  readonly end: PanelEnd | null;
}

export function BackToPanel({ study, end }: BackToPanelProps) {
  const say = useSay();
  const panel = study.panel?.title ?? say("panel.any");
  const { code = null, url = null } = end ?? {};
  if (code === null && url === null) {
    return (
      <Card as="div">
        <p>{say("panel.nothing", { panel })}</p>
      </Card>
    );
  }
  return (
    <Card aria-labelledby="back">
      <h2 id="back">{say("panel.back", { panel })}</h2>
      {url !== null && (
        <>
          <p>{say("panel.press", { panel })}</p>
          <Row>
            {/* Nothing of this page's address is anybody's business there. */}
            <ButtonLink big href={url} rel="noreferrer">
              {say("panel.return", { panel })}
            </ButtonLink>
          </Row>
        </>
      )}
      {code !== null && (
        <>
          <p className={look.soft}>
            {say(url === null ? "panel.enter" : "panel.enter.otherwise", { panel })}
          </p>
          <Copyable text={code} what="code" label={say("panel.code", { panel })} />
        </>
      )}
    </Card>
  );
}
