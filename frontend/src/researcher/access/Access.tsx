// Who could come in now, how to end that, and who did what of weight.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { answered, api, patience } from "../../api/client";
import type { AccessNow as Who } from "../../api/generated";
import { Button } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import { Sheet } from "../../design/Sheet";
import { Actions } from "../../staff/Actions";
import { CopyButton } from "../../staff/CopyButton";
import { counted, moment } from "../../staff/format";
import { useAct } from "../../staff/useAct";
import { LiveNotices } from "../live/LiveNotices";
import { useDeskLive } from "../live/useDeskLive";
import styles from "./Access.module.css";
import { AuditLog } from "./AuditLog";

const POLL_MS = 10_000;

const ask = () => answered(api.GET("/api/researcher/access", { signal: patience() }));

export function Access({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const live = useDeskLive(ask, () => POLL_MS, onSignedOut);
  const { data, refresh } = live;
  return (
    <Sheet title="Access" wide>
      <LiveNotices live={live} loading="The page is being loaded." />
      {data && (
        <>
          <Sessions who={data} onChanged={onSignedOut} />
          <Presenters who={data} onChanged={refresh} />
          <AuditLog />
        </>
      )}
    </Sheet>
  );
}

interface PartProps {
  readonly who: Who;
  /** After something of it was ended or made. */
  readonly onChanged: () => void;
}

function Sessions({ who, onChanged }: PartProps) {
  const { busy, trouble, run } = useAct();
  const signOut = async () => {
    const done = await run(() =>
      answered(api.DELETE("/api/researcher/sessions", { signal: patience() })),
    );
    if (done) onChanged();
  };
  return (
    <TitledCard id="sessions" title="Signed in">
      <p>
        {counted(who.researcher_sessions, "browser")} as researcher, this one among them, and{" "}
        {counted(who.presenter_sessions, "browser")} as presenter. A session ends{" "}
        {who.idle_limit_hours} hours after it was last used.
      </p>
      <Actions trouble={trouble}>
        <Button quiet disabled={busy} onClick={() => void signOut()}>
          Sign out everywhere
        </Button>
      </Actions>
    </TitledCard>
  );
}

function Presenters({ who, onChanged }: PartProps) {
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
    <TitledCard id="presenters" title="Presenters’ address">
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
      <Actions trouble={trouble}>
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
      </Actions>
    </TitledCard>
  );
}
