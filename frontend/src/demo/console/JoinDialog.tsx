// The way in for the audience, as large as the beamer: pattern, address, code.
// SPDX-License-Identifier: Apache-2.0

import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Pattern } from "../../design/Pattern";
import { counted } from "../../staff/format";
import { isLocal } from "../localAddress";
import styles from "./JoinDialog.module.css";

interface JoinDialogProps {
  readonly link: string;
  readonly code: string;
  readonly joined: number;
  readonly onClose: () => void;
}

export function JoinDialog({ link, code, joined, onClose }: JoinDialogProps) {
  const { host } = new URL(link);
  return (
    <Dialog title="Listen along on your own device" className={styles.joinDialog} onClose={onClose}>
      {(close) => (
        <>
          <Pattern text={link} alt={`QR code of ${link}`} />
          <div className={styles.joinWords}>
            <p className={styles.joinAddress}>
              {host}/d/<strong>{code}</strong>
            </p>
            <p className={look.soft} role="status">
              {counted(joined, "device")} here
            </p>
            {isLocal(link) && (
              <Notice tone="warn">
                <p>
                  This address leads nowhere on other devices: Thinlab was started for this machine
                  alone. Start it with <code>make run HOST=0.0.0.0</code>, and open this console by
                  the machine’s name or address in the network.
                </p>
              </Notice>
            )}
            <Button onClick={close}>Back to the console</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
