// Whether the study is frozen, what is otherwise since, and freezing it.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useState } from "react";
import { answered, api } from "../../api/client";
import type { Deviation, FrozenAs, Plan } from "../../api/generated";
import { Button } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Pairs } from "../../design/Pairs";
import { Row } from "../../design/Row";
import { Tag } from "../../design/Tag";
import { counted, moment } from "../../staff/format";
import desk from "../desk.module.css";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { ReasonDialog } from "../ReasonDialog";
import { ofStudy, useStudy } from "../useStudy";
import styles from "./Deviations.module.css";
import record from "./record.module.css";

const POLL_MS = 15_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/plan", ofStudy(slug)));

export function Deviations() {
  const { study } = useStudy();
  const [asked, setAsked] = useState(false);
  const live = useStudyLive(ask, () => POLL_MS);
  return (
    <TitledCard id="frozen" title="Freeze and deviations">
      <LiveNotices live={live} loading="This is being looked up." />
      {live.data && <Known plan={live.data} onFreeze={() => setAsked(true)} />}
      {asked && (
        <ReasonDialog
          title="Freeze the study?"
          confirm="Freeze"
          optional
          act={(reason) =>
            answered(
              api.POST("/api/researcher/studies/{slug}/freeze", {
                ...ofStudy(study.slug),
                body: { reason: reason || null },
              }),
            )
          }
          onDone={() => {
            setAsked(false);
            live.refresh();
          }}
          onClose={() => setAsked(false)}
        >
          <p>
            Design, texts, recordings and the plan of analysis are settled as they are now. Whatever
            changes later is shown here as a deviation, and in the export.
          </p>
        </ReasonDialog>
      )}
    </TitledCard>
  );
}

interface KnownProps {
  readonly plan: Plan;
  readonly onFreeze: () => void;
}

function Known({ plan, onFreeze }: KnownProps) {
  const { frozen, deviations } = plan;
  if (!frozen) {
    return (
      <>
        <p>
          Not frozen. Freeze it before the first participant: then everybody can see that the plan
          came before the votes.
        </p>
        <Row>
          <Button slim onClick={onFreeze}>
            Freeze the study
          </Button>
        </Row>
      </>
    );
  }
  return (
    <>
      <Frozen frozen={frozen} />
      {deviations.length === 0 ? (
        <Notice tone="good" title="Nothing is otherwise than frozen" />
      ) : (
        <>
          <h3>{counted(deviations.length, "deviation")}</h3>
          <ol className={clsx(record.entries, record.unnumbered)}>
            {deviations.map((one) => (
              <OneDeviation key={`${one.kind} ${one.place} ${one.at}`} deviation={one} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Frozen({ frozen }: { readonly frozen: FrozenAs }) {
  const before = frozen.participants_before;
  return (
    <>
      <p>
        Frozen on {moment(frozen.at)},{" "}
        {before === 0 ? "before anybody took part" : `after ${counted(before, "participant")}`}.{" "}
        {frozen.reason}
      </p>
      <details className={look.small}>
        <summary>Its hashes (SHA-256)</summary>
        <Pairs>
          {Object.entries(frozen.hashes).map(([part, hash]) => (
            <div key={part}>
              <dt>{part}</dt>
              <dd>
                <code className={desk.address}>{hash}</code>
              </dd>
            </div>
          ))}
        </Pairs>
      </details>
    </>
  );
}

function OneDeviation({ deviation }: { readonly deviation: Deviation }) {
  const { kind, place, frozen, present, at, in_force, reason } = deviation;
  return (
    <li className={styles.deviation}>
      <span>
        <Tag tone="warn">{kind}</Tag> <code className={desk.address}>{place}</code>
        {in_force === false && <span className={look.soft}> (changed back since)</span>}
      </span>
      {kind !== "conduct" && (
        <span className={look.small}>
          <span className={look.spoken}>frozen as </span>
          <del>{text(frozen)}</del>
          <span aria-hidden="true"> → </span>
          <span className={look.spoken}>, now </span>
          <ins>{text(present)}</ins>
        </span>
      )}
      {kind === "conduct" && <span className={look.small}>{text(present)}</span>}
      {reason && <span className={look.small}>{reason}</span>}
      {at && <span className={look.note}>since {moment(at)}</span>}
    </li>
  );
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
