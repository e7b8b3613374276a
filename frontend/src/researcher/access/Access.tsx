// Who could come in now, how to end that, and who did what of weight.
// SPDX-License-Identifier: Apache-2.0

import { useCallback, useState } from "react";
import { answered, api, patience } from "../../api/client";
import type { AccessNow as Who } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import { Trouble } from "../../design/Failure";
import { Row } from "../../design/Row";
import { Sheet } from "../../design/Sheet";
import { CopyButton } from "../../staff/CopyButton";
import { counted, moment } from "../../staff/format";
import { useAct } from "../../staff/useAct";
import { LiveNotices } from "../live/LiveNotices";
import { useDeskLive } from "../live/useDeskLive";
import styles from "./Access.module.css";
import { AuditLog } from "./AuditLog";

const POLL_MS = 10_000;

export function Access({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const ask = useCallback(
    () => answered(api.GET("/api/researcher/access", { signal: patience() })),
    [],
  );
  const live = useDeskLive(ask, () => POLL_MS, onSignedOut);
  const { data, refresh } = live;
  return (
    <Sheet title="Access" wide>
      <LiveNotices live={live} loading="The page is being loaded." />
      {data && (
        <>
          <Sessions who={data} onSignedOut={onSignedOut} />
          <Presenters who={data} onChanged={refresh} />
          <AuditLog />
        </>
      )}
    </Sheet>
  );
}

interface SessionsProps {
  readonly who: Who;
  readonly onSignedOut: () => void;
}

function Sessions({ who, onSignedOut }: SessionsProps) {
  const { busy, trouble, run } = useAct();
  const signOut = async () => {
    const done = await run(() =>
      answered(api.DELETE("/api/researcher/sessions", { signal: patience() })),
    );
    if (done) onSignedOut();
  };
  return (
    <Card aria-labelledby="sessions">
      <h2 id="sessions">Signed in</h2>
      <p>
        {counted(who.researcher_sessions, "browser")} as researcher, this one among them, and{" "}
        {counted(who.presenter_sessions, "browser")} as presenter. A session ends{" "}
        {who.idle_limit_hours} hours after it was last used.
      </p>
      <Trouble text={trouble} />
      <Row>
        <Button quiet disabled={busy} onClick={() => void signOut()}>
          Sign out everywhere
        </Button>
      </Row>
    </Card>
  );
}

interface PresentersProps {
  readonly who: Who;
  readonly onChanged: () => void;
}

function Presenters({ who, onChanged }: PresentersProps) {
  const { busy, trouble, run } = useAct();
  const [address, setAddress] = useState<string | null>(null);
  const make = () =>
    run(async () => {
      const call = api.POST("/api/researcher/presenter-token", { signal: patience() });
      const { path } = await answered(call);
      setAddress(new URL(path, location.origin).href);
      onChanged();
    });
  const revoke = () =>
    run(async () => {
      await answered(api.DELETE("/api/researcher/presenter-token", { signal: patience() }));
      setAddress(null);
      onChanged();
    });
  const { presenter_token: token } = who;
  return (
    <Card aria-labelledby="presenters">
      <h2 id="presenters">Presenters’ address</h2>
      <p>
        {token
          ? `Whoever has it can run live demos until ${moment(token.expires_at)}, and see no study.`
          : "None can be used now. Whoever has one can run live demos for a day, and see no study."}{" "}
        Another one ends the one before, and signs out whoever came by it.
      </p>
      {address && (
        <div role="status" data-testid="fresh-address" className={styles.freshAddress}>
          <p>Shown this once:</p>
          <p>
            <code>{address}</code>
          </p>
          <CopyButton text={address}>Copy</CopyButton>
        </div>
      )}
      <Trouble text={trouble} />
      <Row>
        <Button quiet disabled={busy} onClick={() => void make()}>
          Make another address
        </Button>
        <Button
          quiet
          disabled={busy || (!token && !who.presenter_sessions)}
          onClick={() => void revoke()}
        >
          Let no presenter in
        </Button>
      </Row>
    </Card>
  );
}
