// At the foot of each page of a participation: going on elsewhere, and leaving.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import look from "../design/look.module.css";
import { useSay } from "../language/Speaking";
import { linkTo } from "./address";
import styles from "./Foot.module.css";
import { OtherDevice } from "./OtherDevice";
import type { Joined } from "./steps";

export function Foot({ study, participant_token, withdraw_token }: Joined) {
  const say = useSay();
  return (
    <footer className={clsx(styles.foot, look.small)}>
      <OtherDevice
        link={linkTo(study.slug, "p", participant_token)}
        heading={say("device.heading")}
        text={say("device.text")}
      />
      <a href={`#w=${withdraw_token}`}>{say("withdraw.link")}</a>
    </footer>
  );
}
