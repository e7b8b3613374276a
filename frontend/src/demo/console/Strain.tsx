// Says when the machine cannot keep up, and what helps. Its numbers change every few
// seconds and are not read aloud; that it cannot, and that it can again, is.
// SPDX-License-Identifier: Apache-2.0

import { useRef } from "react";
import type { HeldUpLately } from "../../api/generated";
import look from "../../design/look.module.css";
import { counted } from "../../staff/format";
import { cannotKeepUp } from "./keepingUp";
import styles from "./Strain.module.css";

export function Strain({ held_up }: { readonly held_up: HeldUpLately | null }) {
  const said = useRef(false);
  said.current = cannotKeepUp(said.current, held_up);
  return (
    <div className={said.current ? styles.strain : styles.silent}>
      <p role="status">
        {said.current &&
          "The lab’s machine cannot keep up: what is late by that is not the network’s doing. Use fewer lanes, and let nothing else run on it."}
      </p>
      {said.current && held_up && (
        <p className={look.soft}>
          In the last minute it stood still {counted(held_up.standstills, "time")},{" "}
          {held_up.stood_still_ms} ms in all
          {held_up.sound_left_out > 0 &&
            `; ${counted(held_up.sound_left_out, "packet")} of sound came too late, on all lanes alike`}
          .
        </p>
      )}
    </div>
  );
}
