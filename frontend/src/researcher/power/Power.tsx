// What the plan can show: how often the study would find an effect, over participants and over
// effects. Simulated beside the server when somebody asks for it.
// SPDX-License-Identifier: Apache-2.0

import { answered, api } from "../../api/client";
import type { PowerState } from "../../api/generated";
import { Button } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Failure } from "../../design/Failure";
import look from "../../design/look.module.css";
import { Progress } from "../../design/Progress";
import { Actions } from "../../staff/Actions";
import { useAct } from "../../staff/useAct";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { ofStudy, useStudy } from "../useStudy";
import { Curves } from "./Curves";

const POLL_MS = 60_000;
const WORKING_POLL_MS = 1_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/power", ofStudy(slug)));

const isWorking = (power: PowerState | null) =>
  power?.state === "waiting" || power?.state === "computing";

export function Power() {
  const { study } = useStudy();
  const live = useStudyLive(ask, (power) => (isWorking(power) ? WORKING_POLL_MS : POLL_MS));
  const { busy, trouble, run } = useAct();
  const { data: power, refresh } = live;
  const start = async () => {
    const { slug } = study;
    await run(() => answered(api.POST("/api/researcher/studies/{slug}/power", ofStudy(slug))));
    refresh();
  };
  const cancel = async () => {
    const { slug } = study;
    await run(() => answered(api.DELETE("/api/researcher/studies/{slug}/power", ofStudy(slug))));
    refresh();
  };
  if (!study.definition.analysis) {
    return (
      <Empty>
        The study plans no test, so there is nothing that it could fail to show. Its file can
        declare one under <code>analysis</code>.
      </Empty>
    );
  }
  return (
    <>
      <p className={look.lead}>
        How often would this study show an effect, if it were there? The study’s file is handed out,
        answered by simulated participants, and judged as people’s votes will be.
      </p>
      <LiveNotices live={live} loading="The server is being asked." />
      {power?.curve && <Curves curve={power.curve} />}
      {power && !power.curve && (
        <TitledCard id="simulate" title="Simulate the study">
          {power.state === "none" && (
            <p>
              Nothing has been simulated of this plan yet. It takes a minute or two of one
              processor, at the lowest priority; nobody who takes part notices.
            </p>
          )}
          {power.state === "failed" && (
            <Failure title="The simulation came to nothing" remedy={power.problem} />
          )}
          <div role="status">
            {power.state === "waiting" && <p>Another study is being simulated first.</p>}
            {power.state === "computing" && (
              <Progress share={power.share ?? 0} label="Simulated so far">
                The study is being simulated.
              </Progress>
            )}
          </div>
          <Actions trouble={trouble}>
            {isWorking(power) ? (
              <Button quiet disabled={busy} onClick={cancel}>
                Cancel
              </Button>
            ) : (
              <Button disabled={busy} onClick={start}>
                {power.state === "failed" ? "Try again" : "Simulate"}
              </Button>
            )}
          </Actions>
        </TitledCard>
      )}
    </>
  );
}
