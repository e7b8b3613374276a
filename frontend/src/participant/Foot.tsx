// At the foot of each page of a participation: going on elsewhere, and leaving.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useState } from "react";
import look from "../design/look.module.css";
import { Pattern } from "../design/Pattern";
import { useSay } from "../language/Speaking";
import { linkTo } from "./address";
import { Copyable } from "./Copyable";
import copyable from "./Copyable.module.css";
import styles from "./Foot.module.css";
import type { Joined } from "./steps";

export function Foot({ study, participant_token, withdraw_token }: Joined) {
  const say = useSay();
  const [open, setOpen] = useState(false);
  const link = linkTo(study.slug, "p", participant_token);
  return (
    <footer className={clsx(styles.foot, look.small)}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{say("device.heading")}</summary>
        <div className={copyable.device}>
          <p>{say("device.text")}</p>
          <Copyable text={link} what="link" label={say("device.link")} />
          {open && <Pattern text={link} alt={say("device.code")} />}
        </div>
      </details>
      <a href={`#w=${withdraw_token}`}>{say("withdraw.link")}</a>
    </footer>
  );
}
