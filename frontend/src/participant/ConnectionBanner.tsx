// Says that the server cannot be reached, and that nothing is lost by it.
// SPDX-License-Identifier: Apache-2.0
import { useConnection } from "./connection";

/** Always in the page, so that a screen reader hears when it fills. */
export function ConnectionBanner({ answering }: { readonly answering: boolean }) {
  const connection = useConnection();
  return (
    <div className="connection" role="status">
      {connection === "back" && (
        <p className="good">
          <strong>The study server is back.</strong> Nothing was lost.
        </p>
      )}
      {connection === "lost" && (
        <p>
          <strong>We cannot reach the study server.</strong>{" "}
          {answering
            ? "Your answer is kept on this device and will be sent as soon as it is back."
            : "Answers you gave are safe. This page goes on by itself as soon as it is back."}
        </p>
      )}
    </div>
  );
}
