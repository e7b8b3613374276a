// Where a presenter begins: one button, and what runs or ran before.
// SPDX-License-Identifier: Apache-2.0

import { useCallback, useState } from "react";
import { Link, useLocation } from "wouter";
import { answered, api, patience } from "../api/client";
import type { DemoOptions, DemoSummary } from "../api/generated";
import { Button, ButtonLink } from "../design/Button";
import { Card } from "../design/Card";
import { Empty } from "../design/Empty";
import { Failure } from "../design/Failure";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Pairs } from "../design/Pairs";
import { Row } from "../design/Row";
import { Segments } from "../design/Segments";
import { Sheet } from "../design/Sheet";
import { Table } from "../design/Table";
import { Tag } from "../design/Tag";
import { Actions } from "../staff/Actions";
import { moment } from "../staff/format";
import { Lost } from "../staff/Lost";
import { useLive } from "../staff/live";
import { useAct } from "../staff/useAct";
import { stages, time } from "./console/wording";
import { letterAt } from "./letters";

const POLL_MS = 4_000;

interface DemosProps {
  /** Who is signed in at the desk signs out there. */
  readonly researcher: boolean;
  readonly onStarted: (demo_id: number) => void;
}

export function Demos({ researcher, onStarted }: DemosProps) {
  const ask = useCallback(async () => {
    const [options, { demos }] = await Promise.all([
      answered(api.GET("/api/demos/options", { signal: patience() })),
      answered(api.GET("/api/demos", { signal: patience() })),
    ]);
    return { options, demos };
  }, []);
  const { data, problem, lost, said, refresh } = useLive(ask, () => POLL_MS);
  const signOut = async () => {
    await api.DELETE("/api/demos/presenter").catch(() => null);
    location.reload();
  };
  const running = data?.demos.filter(({ fate }) => fate === "running") ?? [];
  const past = data?.demos.filter(({ fate }) => fate !== "running") ?? [];
  return (
    <Sheet title="Live demo" wide>
      {lost && <Lost said={said} />}
      {problem && <Failure title={problem.message} remedy={problem.remedy} />}
      {!data && !problem && !lost && <Empty>The demos are being loaded.</Empty>}
      {running.map((demo) => (
        <Goes key={demo.demo_id} demo={demo} />
      ))}
      {data && (
        <Begin
          options={data.options}
          another={running.length > 0}
          onStarted={onStarted}
          onRefused={refresh}
        />
      )}
      {data && <Past demos={past} />}
      <p className={look.note}>
        <a href="/researcher">The researcher’s desk</a>{" "}
        {!researcher && (
          <Button quiet slim onClick={() => void signOut()}>
            Stop presenting here
          </Button>
        )}
      </p>
    </Sheet>
  );
}

function Goes({ demo }: { readonly demo: DemoSummary }) {
  return (
    <Card aria-label={demo.title}>
      <Row spread>
        <h2>{demo.title}</h2>
        <Tag tone="good">{stages[demo.stage ?? "running"]}</Tag>
      </Row>
      <p className={look.soft}>
        Since {moment(demo.began_at)}. The audience’s page: <code>/d/{demo.code}</code>
      </p>
      <Row>
        <ButtonLink as={Link} href={`/${demo.demo_id}`}>
          Open the console
        </ButtonLink>
      </Row>
    </Card>
  );
}

interface BeginProps {
  readonly options: DemoOptions;
  /** Whether one runs already. */
  readonly another: boolean;
  readonly onStarted: (demo_id: number) => void;
  readonly onRefused: () => void;
}

function Begin({ options, another, onStarted, onRefused }: BeginProps) {
  const [, navigate] = useLocation();
  const { busy, trouble, run } = useAct();
  const { set_ups, problem } = options;
  const [chosen, choose] = useState(set_ups[0]?.name);
  const setUp = set_ups.find(({ name }) => name === chosen) ?? set_ups[0];
  if (!setUp) return null;
  const { settings, words: said } = setUp;
  const start = async () => {
    const done = await run(async () => {
      const title = `Demo of ${moment(new Date().toISOString())}`;
      const demo = await answered(
        api.POST("/api/demos", { body: { title, settings }, signal: patience() }),
      );
      onStarted(demo.summary.demo_id);
      navigate(`/${demo.summary.demo_id}`);
    });
    if (!done) onRefused();
  };
  return (
    <Card aria-label="Start a demo">
      <Row>
        <Segments
          name="What to start with"
          options={Object.fromEntries(set_ups.map(({ name, title }) => [name, title]))}
          chosen={setUp.name}
          onChoose={choose}
        />
      </Row>
      <p className={look.lead}>{setUp.description}</p>
      {problem && (
        <Notice tone="warn" title={problem.text}>
          <p>{problem.remedy}</p>
        </Notice>
      )}
      <Actions trouble={trouble}>
        <Button
          big
          quiet={another}
          disabled={busy || problem !== null}
          onClick={() => void start()}
        >
          {busy ? "Opening the lanes…" : another ? "Start another demo" : "Start the demo"}
        </Button>
      </Actions>
      <Pairs className={look.small}>
        <div>
          <dt>Path</dt>
          <dd>{said.path}</dd>
        </div>
        <div>
          <dt>Stream</dt>
          <dd>{said.stream}</dd>
        </div>
        {said.senders.map((sender, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place
          <div key={place}>
            <dt>Lane {letterAt(place)}</dt>
            <dd>{sender}</dd>
          </div>
        ))}
      </Pairs>
      <p className={look.note}>
        All of it can be changed while it runs. Sound begins with the click; wear headphones, or
        have loudspeakers for the room.
      </p>
    </Card>
  );
}

const FATES = {
  running: "running",
  ended: "ended",
  broken_off: "broken off when the server ended",
} as const;

function Past({ demos }: { readonly demos: readonly DemoSummary[] }) {
  return (
    <Card aria-labelledby="past-demos">
      <h2 id="past-demos">Past demos</h2>
      {demos.length === 0 && (
        <Empty>None yet. A demo that has ended stays here: its replay, captures and results.</Empty>
      )}
      {demos.length > 0 && (
        <Table label="Table of past demos">
          <thead>
            <tr>
              <th scope="col">Demo</th>
              <th scope="col">Began</th>
              <th scope="col">Length</th>
              <th scope="col">Takes</th>
              <th scope="col">Files</th>
              <th scope="col">Look at it</th>
            </tr>
          </thead>
          <tbody>
            {demos.map((demo) => (
              <tr key={demo.demo_id}>
                <th scope="row">
                  <Link href={`/${demo.demo_id}`}>{demo.title}</Link>
                  {demo.fate !== "ended" && ` (${FATES[demo.fate]})`}
                </th>
                <td>{moment(demo.began_at)}</td>
                <td>{demo.length_ms === null ? "–" : time(demo.length_ms)}</td>
                <td>{demo.takes}</td>
                <td>{(demo.size_bytes / 1e6).toFixed(1)} MB</td>
                <td>
                  <Link href={`/${demo.demo_id}/replay`}>Replay</Link>
                  {demo.shared && <span className={look.soft}> · shared</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
