// The way to another device: a link to copy, and its pattern for a camera.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import { Pattern } from "../design/Pattern";
import { Stack } from "../design/Stack";
import { Summary } from "../design/Summary";
import { useSay } from "../language/Speaking";
import { Copyable } from "./Copyable";
import styles from "./OtherDevice.module.css";

interface OtherDeviceProps {
  readonly link: string;
  readonly heading: string;
  readonly text: string;
  /** Whether it begins unfolded. */
  readonly open?: boolean;
}

export function OtherDevice({ link, heading, text, open: first = false }: OtherDeviceProps) {
  const say = useSay();
  const [open, setOpen] = useState(first);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Summary>{heading}</Summary>
      <Stack gap={4} className={styles.device}>
        <p>{text}</p>
        <Copyable text={link} what="link" label={say("device.link")} />
        {open && <Pattern text={link} alt={say("device.code")} />}
      </Stack>
    </details>
  );
}
