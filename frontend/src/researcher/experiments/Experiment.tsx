// One experiment: where it stands, its report, and its cells.
// SPDX-License-Identifier: Apache-2.0
import { useCallback } from "react";
import { answered, api, patience } from "../../api/client";
import type { ExperimentDetails, ExperimentSummary, ReportState } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Failure } from "../../design/Failure";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Pairs, Terms } from "../../design/Pairs";
import { Row } from "../../design/Row";
import { Sheet } from "../../design/Sheet";
import { moment } from "../../staff/format";
import { Lost } from "../../staff/Lost";
import desk from "../desk.module.css";
import { useDeskLive } from "../live/useDeskLive";
import { Cells } from "./Cells";
import styles from "./Experiment.module.css";
import { NotThere } from "./NotThere";
import { RunNow } from "./RunNow";
import { StateTag } from "./StateTag";
import { Trail } from "./Trail";
import { type OfExperiment, outcomesOf, reportOf } from "./wording";

const BUSY_POLL_MS = 2_000;
const POLL_MS = 10_000;

const isBusy = ({ summary: { run, reading }, report: { state } }: ExperimentDetails): boolean =>
  reading || run?.stage === "running" || state === "waiting" || state === "drawing";

export function Experiment({ name, onSignedOut }: OfExperiment) {
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/experiments/{name}", {
          params: { path: { name } },
          signal: patience(),
        }),
      ),
    [name],
  );
  const live = useDeskLive(
    ask,
    (data) => (data && !isBusy(data) ? POLL_MS : BUSY_POLL_MS),
    onSignedOut,
  );
  if (!live.data) return <NotThere live={live} loading="The experiment is being looked up." />;
  const { summary, report } = live.data;
  const { title, description, problem, results_problem, results } = summary;
  return (
    <Sheet title={title} tab={`${title} · Experiments`} wide above={<Trail />}>
      {live.lost && <Lost said={live.said} />}
      <Row spread top>
        <p className={look.soft}>{description}</p>
        <StateTag of={summary} />
      </Row>
      <RunNow of={summary} />
      {problem && (
        <Notice tone="bad" title="Its file cannot be used">
          <p className={styles.said}>{problem}</p>
        </Notice>
      )}
      {results_problem && (
        <Notice tone="warn" title="Its results cannot be shown">
          <p className={styles.said}>{results_problem}</p>
        </Notice>
      )}
      {results ? <Report name={name} title={title} report={report} /> : <NotRun of={summary} />}
      {/* Other results are other cells. */}
      {results && <Cells key={results.written_at} name={name} />}
      <TitledCard id="experiment-facts" title="What it is">
        <Facts of={summary} />
      </TitledCard>
    </Sheet>
  );
}

interface ReportProps {
  readonly name: string;
  readonly title: string;
  readonly report: ReportState;
}

function Report({ name, title, report: { state, problem } }: ReportProps) {
  return (
    <TitledCard id="experiment-report" title="Report">
      <p className={look.soft}>
        Figures, tables with their bands, published values beside ours, requirements, self-checks
        and provenance, on one page. A click on a point of a figure, or on a row of its table, leads
        to the sessions behind it.
      </p>
      <div role="status">
        {(state === "waiting" || state === "drawing") && (
          <Empty>
            {state === "waiting" ? "It waits for another one to be drawn." : "It is being drawn."}
          </Empty>
        )}
        {state === "failed" && <Failure title="It could not be drawn" remedy={problem} />}
      </div>
      {state === "ready" && (
        <Row>
          <ButtonLink href={reportOf(name)} aria-label={`Read the report: ${title}`}>
            Read the report
          </ButtonLink>
        </Row>
      )}
    </TitledCard>
  );
}

function NotRun({
  of: { name, shipped, run, problem, results_problem, reading },
}: {
  readonly of: ExperimentSummary;
}) {
  if (problem || results_problem) return null;
  if (reading) return <Empty role="status">It is being read.</Empty>;
  if (run?.stage === "running") {
    return <Empty>Results are here when all of its sessions are through.</Empty>;
  }
  if (run?.stage === "ended" && !shipped) {
    return <Empty>The last run came to no results.</Empty>;
  }
  return (
    <Notice title="There are no results yet">
      {shipped ? (
        <p>
          In <code>backend</code> on the server:{" "}
          <code className={desk.address}>
            ../setup/with-parts uv run thinlab experiment run experiments/{name}.yaml
          </code>
        </p>
      ) : (
        <p>Run it again on the server, with the same file: it goes on from what is kept.</p>
      )}
    </Notice>
  );
}

function Facts({ of }: { readonly of: ExperimentSummary }) {
  const { name, shipped, cells, sessions_wanted, minutes, results } = of;
  return (
    <Pairs>
      <Terms
        of={[
          ["Name", <code key="name">{name}</code>],
          ["Comes from", shipped ? "the experiments of Thinlab" : "a file of somebody’s own"],
          ...(cells > 0
            ? ([
                ["Cells", String(cells)],
                ["Sessions", `${sessions_wanted}, of ${minutes} virtual minutes each`],
              ] as const)
            : []),
          ...(results
            ? ([
                ["Results", outcomesOf(of).join(" · ")],
                [
                  "Self-checks",
                  results.broken_checks > 0
                    ? `broken in ${results.broken_checks} cells: do not use these results`
                    : "hold in every cell",
                ],
                ["Run", moment(results.written_at)],
                ["Host build", <code key="build">{results.host_build}</code>],
              ] as const)
            : []),
        ]}
      />
    </Pairs>
  );
}
