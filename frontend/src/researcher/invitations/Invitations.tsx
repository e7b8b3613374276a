// Links for one person each: made here, shown once, and which of them are used.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, useState } from "react";
import { answered, api } from "../../api/client";
import type { InvitationRow, InvitationsMade } from "../../api/generated";
import { Card, TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Field, Input } from "../../design/Field";
import look from "../../design/look.module.css";
import { Progress } from "../../design/Progress";
import { Stack } from "../../design/Stack";
import { type Column, Records } from "../../design/Table";
import { counted, moment } from "../../staff/format";
import { Submit } from "../../staff/Submit";
import { useAct } from "../../staff/useAct";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { ofStudy, useStudy } from "../useStudy";
import { FreshLinks } from "./FreshLinks";
import styles from "./Invitations.module.css";

const POLL_MS = 5_000;
const MOST_AT_ONCE = 1_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/invitations", ofStudy(slug)));

export function Invitations() {
  const { study } = useStudy();
  const [made, setMade] = useState<InvitationsMade | null>(null);
  const live = useStudyLive(ask, () => POLL_MS);
  return (
    <>
      <p className={look.soft}>
        {study.access === "invitation"
          ? "Nobody can join this study without one of these links."
          : "This study is open to everybody who has its link. A link of their own lets a person go on, on any device, where they stopped."}{" "}
        A link is for one person: whoever opens it again is the same participant.
      </p>
      <Make
        onMade={(fresh) => {
          setMade(fresh);
          live.refresh();
        }}
      />
      {made && <FreshLinks made={made} slug={study.slug} />}
      <LiveNotices live={live} loading="The invitations are being loaded." />
      {live.data && live.data.length > 0 && <Known rows={live.data} />}
      {live.data?.length === 0 && <Empty>No invitation has been made yet.</Empty>}
    </>
  );
}

function Make({ onMade }: { readonly onMade: (made: InvitationsMade) => void }) {
  const { study } = useStudy();
  const [count, setCount] = useState("10");
  const [label, setLabel] = useState("");
  const { busy, trouble, run } = useAct();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () =>
      onMade(
        await answered(
          api.POST("/api/researcher/studies/{slug}/invitations", {
            ...ofStudy(study.slug),
            body: { count: Number(count), label: label.trim() },
          }),
        ),
      ),
    );
  };
  return (
    <Card as="form" onSubmit={submit}>
      <h2>Make invitations</h2>
      <Stack gap={5} className={styles.invite}>
        <Field label="How many">
          {(id) => (
            <Input
              id={id}
              type="number"
              inputMode="numeric"
              min={1}
              max={MOST_AT_ONCE}
              required
              value={count}
              onChange={(event) => setCount(event.target.value)}
            />
          )}
        </Field>
        <Field label="For whom (a label, seen by you alone)">
          {(id) => (
            <Input
              id={id}
              maxLength={200}
              value={label}
              onChange={(event) => setLabel(event.target.value)}
            />
          )}
        </Field>
      </Stack>
      <Submit busy={busy} trouble={trouble}>
        Make links
      </Submit>
    </Card>
  );
}

const COLUMNS: readonly Column<InvitationRow>[] = [
  { title: "Label", value: (row) => row.label || "–" },
  { title: "Made", value: (row) => moment(row.created_at) },
  {
    title: "Used",
    value: (row) =>
      row.used ? (
        <>
          {row.used_on ?? "yes"} <code>{row.pseudonym}</code>
        </>
      ) : (
        <span className={look.soft}>not yet</span>
      ),
  },
];

function Known({ rows }: { readonly rows: readonly InvitationRow[] }) {
  const used = rows.filter((row) => row.used).length;
  return (
    <TitledCard id="known" title="Made so far">
      <Progress label="Invitations used" share={used / rows.length}>
        <strong>{used}</strong> of {counted(rows.length, "invitation")} used
      </Progress>
      <Records
        label="Invitations made so far"
        tall
        rows={rows}
        keyOf={(row) => row.id}
        columns={COLUMNS}
      />
    </TitledCard>
  );
}
