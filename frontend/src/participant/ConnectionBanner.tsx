// Says that the server cannot be reached, what is kept, and whether to go on.
// SPDX-License-Identifier: Apache-2.0

import { useSyncExternalStore } from "react";
import { useSay } from "../language/Speaking";
import styles from "./ConnectionBanner.module.css";
import { useConnection } from "./connection";
import { keptHere } from "./outbox";
import { useAskingBeforeLeaving } from "./useAskingBeforeLeaving";

interface ConnectionBannerProps {
  /** Whether a later trial can be heard without any network; asked while it is lost. */
  readonly isMoreHere: () => boolean;
}

/** Always in the page, so that a screen reader hears when it fills. */
export function ConnectionBanner({ isMoreHere }: ConnectionBannerProps) {
  const say = useSay();
  const connection = useConnection();
  const kept = useSyncExternalStore(keptHere.subscribe, keptHere.count);
  const refused = useSyncExternalStore(keptHere.subscribe, keptHere.refused);
  // What is kept is on disk, but a page without network could not be opened again.
  useAskingBeforeLeaving(connection === "lost" && kept > 0);
  return (
    <div className={styles.connection} role="status">
      {refused > 0 && <p>{say("connection.refused", { count: refused })}</p>}
      {connection === "back" && (
        <p className={styles.good}>
          <strong>{say("connection.back")}</strong> {say("connection.lost_nothing")}
        </p>
      )}
      {(connection === "busy" || connection === "no-host") && (
        <p>
          <strong>{say(`connection.${connection}`)}</strong> {say("connection.waits")}
        </p>
      )}
      {connection === "lost" && (
        <p>
          <strong>{say("connection.lost")}</strong>{" "}
          {kept > 0 && `${say("connection.kept", { count: kept })} `}
          {say(isMoreHere() ? "connection.ahead" : "connection.open")}
        </p>
      )}
    </div>
  );
}
