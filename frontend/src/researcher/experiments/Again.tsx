// A session's captures: made again at a click, compared with what was run, and to be looked at.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, patience } from "../../api/client";
import type { MadeAgain, SessionEntry, SessionMade } from "../../api/generated";
import { Button, ButtonLink } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Failure } from "../../design/Failure";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { Stack } from "../../design/Stack";
import { Actions } from "../../staff/Actions";
import { moment } from "../../staff/format";
import { useAct } from "../../staff/useAct";
import { CaptureLinks } from "../CaptureLinks";
import { size } from "./wording";

interface AgainProps {
  readonly name: string;
  readonly session: SessionEntry;
  readonly again: MadeAgain;
  readonly onAsked: () => void;
}

const UNDER_WAY = {
  waiting: "Another session is being made; this one is next in turn.",
  making: "The session is being made again, and its captures are read.",
} as const;

export function Again({ name, session: { key }, again, onAsked }: AgainProps) {
  const { state, problem, made } = again;
  const { busy, trouble, run } = useAct();
  const make = () =>
    run(async () => {
      await answered(
        api.POST("/api/researcher/experiments/{name}/sessions/{key}/again", {
          params: { path: { name, key } },
          signal: patience(),
        }),
      );
      onAsked();
    });
  const at = `/api/researcher/experiments/${name}/sessions/${key}`;
  return (
    <TitledCard id="session-captures" title="Captures, ladder, latencies">
      <div role="status">
        {(state === "waiting" || state === "making") && <Empty>{UNDER_WAY[state]}</Empty>}
        {state === "failed" && (
          <Failure title="The session could not be made again" remedy={problem} />
        )}
        {made && <Verdict made={made} />}
      </div>
      {(state === "none" || state === "failed") && (
        <>
          <p className={look.soft}>
            Captures are not kept. A session in virtual time is the same each time, so it can be
            made again: that takes some seconds, and both captures are compared with what was
            recorded when it was run.
          </p>
          <Actions trouble={trouble}>
            <Button disabled={busy} onClick={() => void make()}>
              Make it again
            </Button>
          </Actions>
        </>
      )}
      {made && <Looks made={made} at={at} />}
    </TitledCard>
  );
}

function Verdict({ made }: { readonly made: SessionMade }) {
  const { agrees, host_build, recorded_build } = made;
  if (agrees === true) {
    return (
      <Notice tone="good" title="Both captures are what was recorded, byte for byte">
        <p>
          Their SHA-256 are the same as when it was run.
          {host_build !== recorded_build &&
            ` The host is of another build (${host_build}, not ${recorded_build}), and this session came out the same on it.`}
        </p>
      </Notice>
    );
  }
  if (agrees === null) {
    return (
      <Notice tone="warn" title="Nothing is known to compare these captures with">
        <p>
          The session was run by an earlier version, which kept no hashes.
          {host_build === recorded_build
            ? " The host is of the same build, so they should be the same."
            : " The host is of another build: take them for an example of the condition, not for what was measured."}
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title="These captures are not those that were recorded">
      {host_build !== recorded_build ? (
        <p>
          The host is of another build: {host_build}, where the session was run on {recorded_build}.
          Another kernel, guest or agent sends other packets, or numbers and stamps them otherwise.
          What you see is the same condition with the same seed, but not the packets behind the
          figures of the report. Run the experiment again to have figures of this build.
        </p>
      ) : (
        <p>
          The host is of the same build, so they should be the same, and something is wrong: do not
          trust the results before you know what. <code>thinlab experiment replicate</code> compares
          all sessions.
        </p>
      )}
    </Notice>
  );
}

interface LooksProps {
  readonly made: SessionMade;
  readonly at: string;
}

function Looks({ made, at }: LooksProps) {
  const { analyses, analyses_left_out: left_out, analysis_problem: problem, lanes } = made;
  const several = lanes.length > 1;
  return (
    <Stack gap={5}>
      {analyses.length > 0 && (
        <Stack gap={3}>
          <h3>Look</h3>
          <p className={look.note}>
            Time and sequence, the ladder of packets around the message that waited longest,
            latencies, what was sent and lost; on one page.
          </p>
          <Row>
            {analyses.map(({ lane, connection }, number) => (
              <ButtonLink key={connection ?? lane} slim href={`${at}/analysis/${number}`}>
                Ladder and latencies
                {several && `, lane ${lane + 1}`}
                {connection && `, ${connection.replace("-", " → ")}`}
              </ButtonLink>
            ))}
          </Row>
          {left_out > 0 && (
            <p className={look.note}>
              {left_out} more connections have no page: <code>lab-agent analyze --flow</code> makes
              one of the captures.
            </p>
          )}
        </Stack>
      )}
      {problem && <Failure title="The captures could not be analysed" remedy={problem} />}
      <Stack gap={3}>
        <h3>Take away</h3>
        {lanes.map(({ sender_bytes, receiver_bytes }, lane) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its number
          <Stack key={lane} gap={2}>
            <CaptureLinks
              at={`${at}/captures/${lane}`}
              {...(several && { of: `lane ${lane + 1}` })}
            />
            <p className={look.note}>
              pcapng, {size(sender_bytes)} and {size(receiver_bytes)}
            </p>
          </Stack>
        ))}
        <p className={look.note}>
          Made again {moment(made.made_at)} on host build <code>{made.host_build}</code>; kept until
          others need the room.
        </p>
      </Stack>
    </Stack>
  );
}
