// At the foot of each page of a participation: going on elsewhere, and leaving.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import { Pattern } from "../design/Pattern";
import { useSay } from "../language/Speaking";
import { linkTo } from "./address";
import { Copyable } from "./Copyable";
import type { Joined } from "./steps";

export function Foot({ study, participant_token, withdraw_token }: Joined) {
  const say = useSay();
  const [open, setOpen] = useState(false);
  const link = linkTo(study.slug, "p", participant_token);
  return (
    <footer className="foot small">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{say("device.heading")}</summary>
        <div className="device">
          <p>{say("device.text")}</p>
          <Copyable text={link} what="link" label={say("device.link")} />
          {open && <Pattern text={link} alt={say("device.code")} />}
        </div>
      </details>
      <a href={`#w=${withdraw_token}`}>{say("withdraw.link")}</a>
    </footer>
  );
}
