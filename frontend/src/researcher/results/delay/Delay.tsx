// Votes against what was measured of what people heard or felt: a curve over one metric,
// which can be chosen, and how well each metric predicts.
// SPDX-License-Identifier: Apache-2.0

import { useMemo, useState } from "react";
import { answered, api, patience } from "../../../api/client";
import type { DelayBlock, Monitor } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import { Field, SelectOne } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Stack } from "../../../design/Stack";
import { Tag } from "../../../design/Tag";
import { counted, percent } from "../../../staff/format";
import { LiveNotices } from "../../live/LiveNotices";
import { useStudyLive } from "../../live/useDeskLive";
import { isRating } from "../scale";
import { DelayPlot } from "./DelayPlot";
import { AccuracyTable, PointTable } from "./DelayTables";
import { about } from "./delayWords";
import { Weighed } from "./Weighed";

const POLL_MS = 60_000;

interface Asked {
  readonly kind: Monitor["kind"];
  readonly metric: string | null;
}

const ask = (slug: string, { kind, metric }: Asked) =>
  answered(
    api.GET("/api/researcher/studies/{slug}/delay", {
      params: { path: { slug }, query: { kind, ...(metric === null ? {} : { metric }) } },
      signal: patience(),
    }),
  );

export function Delay({ kind }: { readonly kind: Monitor["kind"] }) {
  const [metric, setMetric] = useState<string | null>(null);
  const asked = useMemo(() => ({ kind, metric }), [kind, metric]);
  const live = useStudyLive(ask, () => POLL_MS, asked);
  if (live.data?.blocks.length === 0) return null;
  return (
    <TitledCard id="delay" title="Votes against delay">
      <LiveNotices live={live} loading="Curves are being fitted to the votes." />
      {live.data?.blocks.map((block) => (
        <Block
          key={block.block}
          block={block}
          confidence={live.data?.confidence ?? 0}
          asked={metric}
          onAsk={setMetric}
        />
      ))}
    </TitledCard>
  );
}

interface BlockProps {
  readonly block: DelayBlock;
  readonly confidence: number;
  readonly asked: string | null;
  readonly onAsk: (metric: string) => void;
}

export function Block({ block, confidence, asked, onAsk }: BlockProps) {
  const { metrics, curve } = block;
  const shown = metrics.find(({ name }) => name === block.metric);
  if (!shown) return null;
  const awaited = metrics.find(({ name }) => name === asked);
  const chosen = awaited ?? shown;
  return (
    <Stack gap={4}>
      <h3>
        {block.block} <Tag>{block.planned ? "Planned" : "Exploratory"}</Tag>
      </h3>
      <Field label="Metric" small note={`${chosen.meaning}.`}>
        {(id) => (
          <SelectOne
            id={id}
            slim
            options={metrics.map(({ name, title, planned }) => [
              name,
              planned ? `${title} (planned)` : title,
            ])}
            chosen={chosen.name}
            onChoose={onAsk}
          />
        )}
      </Field>
      {chosen !== shown && (
        <p role="status" className={look.note}>
          The curve over “{chosen.title}” is being fitted.
        </p>
      )}
      {chosen === shown && (
        <>
          <p>{curve?.sentence ?? block.why_none}</p>
          {curve && (
            <>
              <DelayPlot scale={block.scale} metric={shown} curve={curve} />
              <p className={look.note}>
                A dot is {isRating(block.scale) ? "a recording" : "a pair of recordings"}, as large
                as it has votes, with the interval of these alone. {about(block.scale)} Intervals
                and bands hold {percent(confidence)}.
                {curve.unmeasured > 0 &&
                  ` Left out: ${counted(curve.unmeasured, "vote")} on what was not measured.`}
              </p>
              <PointTable block={block} metric={shown} curve={curve} />
            </>
          )}
        </>
      )}
      {block.best && <p>{block.best}</p>}
      <AccuracyTable block={block} />
      {block.weighed && (
        <Weighed block={block.block} found={block.weighed} confidence={confidence} />
      )}
    </Stack>
  );
}
