// What was done of weight, newest first. Nothing of any participant is in it.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { answered, api, patience } from "../../api/client";
import type { Act, ActOnRecord } from "../../api/generated";
import { Button } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import { Trouble } from "../../design/Failure";
import look from "../../design/look.module.css";
import { type Column, Records } from "../../design/Table";
import { moment } from "../../staff/format";
import { useLive } from "../../staff/live";
import { useAct } from "../../staff/useAct";
import styles from "./AuditLog.module.css";

const POLL_MS = 15_000;

const ACTS: Readonly<Record<Act, string>> = {
  signed_in: "Signed in",
  sign_in_failed: "Wrong password",
  signed_out: "Signed out",
  signed_out_everywhere: "Signed out everywhere",
  password_set: "Password set",
  password_forgotten: "Password forgotten",
  setup_token_made: "Address for the first password made",
  setup_token_refused: "Wrong token for the first password",
  presenter_token_made: "Presenters’ address made",
  presenter_token_revoked: "Presenters’ address ended",
  presenter_token_refused: "Wrong presenters’ address",
  presenter_admitted: "Presenter came in",
  study_frozen: "Study frozen",
  study_closed: "Study closed",
  study_reopened: "Study reopened",
  study_unblinded: "Votes looked at early",
  study_looked_at: "Votes looked at as planned",
  participant_left_out: "Participant left out",
  participant_taken_in: "Participant taken in again",
  invitations_made: "Invitations made",
  panel_returns_set: "Panel’s codes entered",
  exported: "Exported",
  demo_deleted: "Demo deleted",
  demo_shared: "Demo shared",
};

const BY: Readonly<Record<ActOnRecord["by"], string>> = {
  researcher: "researcher",
  presenter: "presenter",
  operator: "on the server",
  stranger: "nobody known",
};

const COLUMNS: readonly Column<ActOnRecord>[] = [
  { title: "When", value: (entry) => moment(entry.at) },
  { title: "What", value: whatOf },
  { title: "By", value: (entry) => BY[entry.by] },
  { title: "Study", value: (entry) => entry.study && <code>{entry.study}</code> },
];

function whatOf({ act, details }: ActOnRecord) {
  return (
    <>
      {ACTS[act]} <span className={look.note}>{said(details)}</span>
    </>
  );
}

const ask = () => answered(api.GET("/api/researcher/audit", { signal: patience() }));

export function AuditLog() {
  const [older, setOlder] = useState<readonly ActOnRecord[]>([]);
  const [more, setMore] = useState<boolean | null>(null);
  const { busy, trouble, run } = useAct();
  const { data } = useLive(ask, () => POLL_MS);
  const newest = data?.entries ?? [];
  // What was newest has become older meanwhile, and would be shown twice.
  const oldestOfNewest = newest.at(-1)?.entry_id ?? 0;
  const entries = [...newest, ...older.filter(({ entry_id }) => entry_id < oldestOfNewest)];
  const goOn = () =>
    run(async () => {
      const query = { before: entries.at(-1)?.entry_id ?? null };
      const call = api.GET("/api/researcher/audit", { params: { query }, signal: patience() });
      const page = await answered(call);
      setOlder((before) => [...before, ...page.entries]);
      setMore(page.more);
    });
  return (
    <TitledCard id="audit" title="What was done">
      <p className={look.note}>
        Kept for good. Nothing of any participant is in it, and no address of anybody.
      </p>
      <Records
        label="Acts on record"
        className={styles.audit}
        rows={entries}
        keyOf={(entry) => entry.entry_id}
        columns={COLUMNS}
        named={false}
      />
      <Trouble text={trouble} />
      {(more ?? data?.more) && (
        <Button quiet slim disabled={busy} onClick={() => void goOn()}>
          Show older ones
        </Button>
      )}
    </TitledCard>
  );
}

const said = (details: ActOnRecord["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => (name === "times" ? `${value} ×` : `${name} ${value}`))
    .join(", ");
