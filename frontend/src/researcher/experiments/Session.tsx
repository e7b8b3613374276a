// One session of an experiment: made again for its captures, and looked at.
// SPDX-License-Identifier: Apache-2.0
import { useCallback } from "react";
import { answered, api, patience } from "../../api/client";
import type { SessionDetails } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Pairs, Terms } from "../../design/Pairs";
import { Sheet } from "../../design/Sheet";
import { Lost } from "../../staff/Lost";
import desk from "../desk.module.css";
import { useDeskLive } from "../live/useDeskLive";
import { Again } from "./Again";
import { NotThere } from "./NotThere";
import { Trail } from "./Trail";
import { cellPage, type OfExperiment } from "./wording";

const MAKING_POLL_MS = 700;
const POLL_MS = 30_000;

interface SessionProps extends OfExperiment {
  /** Its key. */
  readonly session: string;
}

const isBusy = ({ again: { state } }: SessionDetails): boolean =>
  state === "waiting" || state === "making";

export function Session({ name, session: key, onSignedOut }: SessionProps) {
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/experiments/{name}/sessions/{key}", {
          params: { path: { name, key } },
          signal: patience(),
        }),
      ),
    [name, key],
  );
  const live = useDeskLive(
    ask,
    (data) => (data && !isBusy(data) ? POLL_MS : MAKING_POLL_MS),
    onSignedOut,
  );
  if (!live.data) return <NotThere live={live} loading="The session is being looked up." />;
  const { title, where, cell, session, runs, again } = live.data;
  return (
    <Sheet
      title={`Run ${session.run}: ${where}`}
      tab={`Run ${session.run} · ${where} · ${title}`}
      wide
      above={<Trail of={{ name, title }} cell={{ href: cellPage(name, cell), where }} />}
    >
      {live.lost && <Lost said={live.said} />}
      <Again name={name} session={session} again={again} onAsked={live.refresh} />
      <TitledCard id="session-recording" title="Recording">
        <p className={look.soft}>
          There is none: what an experiment sends is made up, message by message, and no sound.
          Recordings are made of the clips of listening studies, and are on those studies’ pages.
        </p>
      </TitledCard>
      <TitledCard id="session-facts" title="What it was">
        <Pairs>
          <Terms
            of={[
              ["Cell", where],
              ["Run", `${session.run}, of ${runs} in its cell; they count from 0`],
              ["Seed", <code key="seed">{session.seed}</code>],
              [
                "Key",
                <code key="key" className={desk.address}>
                  {session.key}
                </code>,
              ],
              ["SHA-256, sender’s capture", <Hashes key="sender" of={session.sender_sha256} />],
              [
                "SHA-256, receiver’s capture",
                <Hashes key="receiver" of={session.receiver_sha256} />,
              ],
            ]}
          />
        </Pairs>
        <p className={look.note}>
          The hashes were taken when it was run. The captures themselves were not kept.
        </p>
      </TitledCard>
    </Sheet>
  );
}

function Hashes({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return "not recorded: the session is of an earlier version";
  if (of.length === 1) return <code className={desk.address}>{of[0]}</code>;
  return (
    <ol>
      {of.map((hash) => (
        <li key={hash}>
          <code className={desk.address}>{hash}</code>
        </li>
      ))}
    </ol>
  );
}
