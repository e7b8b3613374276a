// What stands above everything: what runs, who is there, the way in, the end.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { DemoState } from "../../api/generated";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Tag } from "../../design/Tag";
import { counted } from "../../staff/format";
import styles from "./Head.module.css";
import type { ConsoleLink } from "./link";
import { stages } from "./wording";

interface HeadProps {
  readonly state: DemoState;
  readonly disabled: boolean;
  readonly link: ConsoleLink;
  readonly onJoin: () => void;
}

export function Head({ state, disabled, link, onJoin }: HeadProps) {
  const [sure, setSure] = useState(false);
  const { title, stage, take, audience, join_url } = state;
  const tone = stage === "running" ? "good" : "warn";
  const address = join_url.replace(/^https?:\/\//, "");
  return (
    <header className={styles.top}>
      <a href="/demo" className={look.small}>
        All demos
      </a>
      <h1>{title}</h1>
      <Tag tone={tone} role="status" data-testid="stage">
        {stages[stage]}
        {take > 1 && `, take ${take}`}
      </Tag>
      <div className={styles.toTheRight}>
        <span>
          {counted(audience.watching, "device")}, {audience.listening} listening
        </span>
        <a
          className={styles.joinLink}
          data-testid="join-link"
          href={join_url}
          target="_blank"
          rel="noreferrer"
        >
          {address}
        </a>
        <Button quiet slim aria-keyshortcuts="j" onClick={onJoin}>
          Join view <kbd>J</kbd>
        </Button>
        {sure ? (
          <>
            <Button slim disabled={disabled} onClick={() => link.ask({ do: "end" })}>
              End it for all
            </Button>
            <Button quiet slim onClick={() => setSure(false)}>
              Go on
            </Button>
          </>
        ) : (
          <Button quiet slim onClick={() => setSure(true)}>
            End
          </Button>
        )}
      </div>
    </header>
  );
}
