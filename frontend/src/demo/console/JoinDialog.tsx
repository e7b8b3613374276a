// The way in for the audience, as large as the beamer: pattern, address, code.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useRef } from "react";
import { Button, Notice } from "../../design/elements";
import { Pattern } from "../../design/Pattern";
import { counted } from "../../researcher/format";
import { isLocal } from "../localAddress";

interface JoinDialogProps {
  readonly link: string;
  readonly code: string;
  readonly joined: number;
  readonly onClose: () => void;
}

export function JoinDialog({ link, code, joined, onClose }: JoinDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const { host } = new URL(link);
  return (
    <dialog ref={dialog} className="join-dialog" aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>Listen along on your own device</h2>
      <Pattern text={link} alt={`QR code of ${link}`} />
      <div className="join-words">
        <p className="join-address">
          {host}/d/<strong>{code}</strong>
        </p>
        <p className="soft" role="status">
          {counted(joined, "device")} here
        </p>
        {isLocal(link) && (
          <Notice tone="warn">
            <p>
              This address leads nowhere on other devices: Thinlab was started for this machine
              alone. Start it with <code>make run HOST=0.0.0.0</code>, and open this console by the
              machine’s name or address in the network.
            </p>
          </Notice>
        )}
        <Button onClick={onClose}>Back to the console</Button>
      </div>
    </dialog>
  );
}
