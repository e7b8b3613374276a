// Settings of a lane's sender, for those who want them otherwise than the kernel has them.
// SPDX-License-Identifier: Apache-2.0

import type { ReactNode } from "react";
import look from "../../design/look.module.css";
import numbers from "./numbers.module.css";
import styles from "./SettingsFold.module.css";

interface SettingsFoldProps {
  /** Whose settings they are. */
  readonly of: string;
  readonly letter: string;
  readonly children: ReactNode;
}

export function SettingsFold({ of, letter, children }: SettingsFoldProps) {
  return (
    <details className={styles.settings}>
      <summary>
        {of}’s settings<span className={look.spoken}>, lane {letter}</span>
      </summary>
      <fieldset className={numbers.numbers}>
        <legend className={look.spoken}>
          {of}, lane {letter}
        </legend>
        {children}
      </fieldset>
    </details>
  );
}
