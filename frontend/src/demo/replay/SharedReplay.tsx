// A replay that was shared: to look at, with its files to take away.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useCallback } from "react";
import { answered, api, patience } from "../../api/client";
import { ButtonLink } from "../../design/Button";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { Sheet } from "../../design/Sheet";
import { moment } from "../../staff/format";
import { useLive } from "../../staff/live";
import { Captures } from "../Captures";
import { Waiting } from "../Waiting";
import { Replay } from "./Replay";
import styles from "./SharedReplay.module.css";

const HARDLY_EVER_MS = 3_600_000;
const LOST_POLL_MS = 2_000;

export function SharedReplay({ token }: { readonly token: string }) {
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/shared-demos/{token}", { params: { path: { token } }, signal: patience() }),
      ),
    [token],
  );
  const asked = useLive(ask, (demo) => (demo ? HARDLY_EVER_MS : LOST_POLL_MS));
  const { data } = asked;
  if (!data) return <Waiting asked={asked} tab="Replay" loading="The replay is being loaded." />;
  const { summary, takes } = data;
  const base = `/api/shared-demos/${encodeURIComponent(token)}`;
  return (
    <Sheet title={summary.title} tab="Replay" wide>
      <p className={clsx(styles.whole, look.soft)}>
        A live demo of {moment(summary.began_at)}: one stream over several lanes that meet the same
        losses; only the senders differ.
      </p>
      <Replay base={base} demo={data} />
      <Card aria-labelledby="shared-files">
        <h2 id="shared-files">Files</h2>
        <Row>
          <ButtonLink quiet slim href={`${base}/results`} download>
            Results (JSON)
          </ButtonLink>
        </Row>
        {takes.map((take) => (
          <div key={take.number} className={styles.take}>
            <h3>Take {take.number}</h3>
            <Captures take={take} base={base} />
          </div>
        ))}
      </Card>
    </Sheet>
  );
}
