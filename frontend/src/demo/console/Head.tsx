// What stands above everything: what runs, who is there, the way in, the end.
// SPDX-License-Identifier: Apache-2.0

import type { DemoState } from "../../api/generated";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Tag } from "../../design/Tag";
import { counted } from "../../staff/format";
import { AskedTwice } from "../AskedTwice";
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
        <AskedTwice
          label="End"
          yes="End it for all"
          no="Go on"
          disabled={disabled}
          onSure={() => link.ask({ do: "end" })}
        />
      </div>
    </header>
  );
}
