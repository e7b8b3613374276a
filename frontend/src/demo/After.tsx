// What is left of a demo: how it went, its files, and a link to share.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useCallback } from "react";
import { Link, useLocation } from "wouter";
import { answered, api, patience } from "../api/client";
import type {
  DemoDetails,
  DemoEvent,
  DemoResult,
  DemoTakeRecord,
  PollRecord,
  TakeResult,
} from "../api/generated";
import { Button, ButtonLink } from "../design/Button";
import { Card } from "../design/Card";
import { Trouble } from "../design/Failure";
import { Field, Input } from "../design/Field";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Pairs } from "../design/Pairs";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { CopyButton } from "../staff/CopyButton";
import { counted, moment } from "../staff/format";
import { useAct } from "../staff/useAct";
import { useOnce } from "../staff/useOnce";
import styles from "./After.module.css";
import { AskedTwice } from "./AskedTwice";
import { Captures } from "./Captures";
import { lettered, time } from "./console/wording";
import { letterAt } from "./letters";
import { isLocal } from "./localAddress";
import { TakeFigures } from "./TakeFigures";
import { changesIn } from "./takes";

interface AfterProps {
  readonly demo: DemoDetails;
  readonly onChanged: () => void;
}

const askEvents = (id: number) =>
  answered(
    api.GET("/api/demos/{demo_id}/events", {
      params: { path: { demo_id: id } },
      signal: patience(),
    }),
  );

export function After({ demo, onChanged }: AfterProps) {
  const { summary, takes, polls } = demo;
  const { demo_id } = summary;
  const ask = useCallback(
    (id: number) =>
      answered(
        api.GET("/api/demos/{demo_id}/results", {
          params: { path: { demo_id: id } },
          signal: patience(),
        }),
      ),
    [],
  );
  const results = useOnce(demo_id, ask);
  const events = useOnce(demo_id, askEvents);
  return (
    <Sheet
      title={summary.title}
      wide
      above={
        <nav aria-label="Breadcrumb" className={look.small}>
          <Link href="/">All demos</Link>
        </nav>
      }
    >
      <p className={look.soft}>
        {moment(summary.began_at)}
        {summary.length_ms !== null && `, ${time(summary.length_ms)} long`},{" "}
        {counted(takes.length, "take")}.
        {summary.fate === "broken_off" && " It was broken off when the server ended."}
      </p>
      <Row>
        <ButtonLink as={Link} href={`/${demo_id}/replay`}>
          Replay
        </ButtonLink>
        <ButtonLink as={Link} quiet href="/">
          Start another demo
        </ButtonLink>
      </Row>
      <Share demo={demo} onChanged={onChanged} />
      {results.problem && <Notice tone="warn" title={results.problem} />}
      {takes.map((take) => (
        <Take
          key={take.number}
          take={take}
          demo_id={demo_id}
          events={events.data?.events ?? []}
          measured={results.data?.takes.find(({ number }) => number === take.number) ?? null}
        />
      ))}
      {polls.map((poll) => (
        <Poll key={poll.number} poll={poll} />
      ))}
      <Card aria-labelledby="demo-files">
        <h2 id="demo-files">Files of the whole demo</h2>
        <Row>
          <ButtonLink quiet slim href={`/api/demos/${demo_id}/results`} download>
            Results (JSON)
          </ButtonLink>
          <ButtonLink quiet slim href={`/api/demos/${demo_id}/events`} download>
            Events (JSON)
          </ButtonLink>
          <ButtonLink quiet slim href={`/api/demos/${demo_id}/feed`} download>
            All that was sent to the pages (NDJSON)
          </ButtonLink>
        </Row>
        <Delete demo_id={demo_id} />
      </Card>
    </Sheet>
  );
}

function Delete({ demo_id }: { readonly demo_id: number }) {
  const [, navigate] = useLocation();
  const { busy, trouble, run } = useAct();
  const params = { path: { demo_id } };
  const remove = async () => {
    const call = () => answered(api.DELETE("/api/demos/{demo_id}", { params, signal: patience() }));
    if (await run(call)) navigate("/");
  };
  return (
    <>
      <Row>
        <AskedTwice
          label="Delete this demo"
          yes="Delete it with all its files"
          no="Keep it"
          disabled={busy}
          onSure={() => void remove()}
        />
      </Row>
      <Trouble text={trouble} />
    </>
  );
}

function Share({ demo, onChanged }: AfterProps) {
  const { busy, trouble, run } = useAct();
  const { demo_id } = demo.summary;
  const asked = () => ({ params: { path: { demo_id } }, signal: patience() });
  const change = async (call: () => Promise<unknown>) => {
    await run(call);
    onChanged();
  };
  const share = () => change(() => answered(api.POST("/api/demos/{demo_id}/share", asked())));
  const unshare = () => change(() => answered(api.DELETE("/api/demos/{demo_id}/share", asked())));
  const link = demo.share_token && `${location.origin}/demo/replay/${demo.share_token}`;
  return (
    <Card aria-labelledby="share-demo">
      <h2 id="share-demo">Share</h2>
      {link ? (
        <>
          <Field label="Whoever has this link can see the replay and take the files; nothing else.">
            {(id) => <Input id={id} readOnly value={link} onFocus={(e) => e.target.select()} />}
          </Field>
          {isLocal(link) && (
            <Notice tone="warn">
              <p>
                On other devices this link leads nowhere: open this page by the machine’s name or
                address in the network, and it is made of that.
              </p>
            </Notice>
          )}
          <Row>
            <CopyButton text={link}>Copy the link</CopyButton>
            <Button quiet slim disabled={busy} onClick={() => void unshare()}>
              Take it back
            </Button>
          </Row>
        </>
      ) : (
        <Row>
          <Button quiet disabled={busy} onClick={() => void share()}>
            Make a link
          </Button>
          <span className={look.note}>to the replay and its files, for anybody who has it.</span>
        </Row>
      )}
      <Trouble text={trouble} />
    </Card>
  );
}

interface TakeProps {
  readonly take: DemoTakeRecord;
  readonly demo_id: number;
  readonly events: readonly DemoEvent[];
  readonly measured: TakeResult | null;
}

function Take({ take, demo_id, events, measured }: TakeProps) {
  const { number, words, ready_at_ms, ended_at_ms, end } = take;
  const changes = changesIn(take, events);
  const title = `take-${number}`;
  return (
    <Card aria-labelledby={title}>
      <h2 id={title}>
        Take {number}: {words.stream}
      </h2>
      <p className={look.note}>
        {ready_at_ms !== null && `From ${time(ready_at_ms)}`}
        {ended_at_ms !== null && ` to ${time(ended_at_ms)}`}. It began with {words.path}.
        {end !== null && end !== "finished" && ` It ended otherwise: ${end}`}
      </p>
      {measured?.result ? (
        <>
          {changes.length > 0 && <Changes changes={changes} />}
          <TakeFigures result={measured.result} take={take} />
          <HeldUp result={measured.result} />
        </>
      ) : (
        measured && <p className={look.soft}>It did not end by itself: there are captures only.</p>
      )}
      <Captures take={take} base={`/api/demos/${demo_id}`} />
    </Card>
  );
}

function Changes({ changes }: { readonly changes: readonly DemoEvent[] }) {
  return (
    <>
      <p className={look.small}>
        <strong>Changed while it ran</strong>: its figures are of all of it, before and after.
      </p>
      <ol className={clsx(styles.changes, look.small)}>
        {changes.map(({ number, at_ms, text }) => (
          <li key={number}>
            {time(at_ms)} {text}
          </li>
        ))}
      </ol>
    </>
  );
}

/** What was late by the machine's own doing. */
function HeldUp({ result }: { readonly result: DemoResult }) {
  const held_up = result.held_up;
  if (!held_up?.standstills) return null;
  return (
    <p className={look.note}>
      The machine stood still {counted(held_up.standstills, "time")},{" "}
      {Math.round(held_up.stood_still_ms)} ms in all: other work held it up, not the network. Who
      listened does not hear it in one lane more than in another; the figures contain it.
    </p>
  );
}

function Poll({ poll }: { readonly poll: PollRecord }) {
  const title = `poll-${poll.number}`;
  const choices = poll.order.map((lane, at) => {
    const letter = letterAt(at);
    const name = poll.names?.[at] ?? `lane ${lane + 1}`;
    return { votes: poll.votes[letter] ?? 0, meaning: lettered(letter, name) };
  });
  choices.push({ votes: poll.votes.no_difference ?? 0, meaning: "No difference" });
  return (
    <Card aria-labelledby={title}>
      <h2 id={title}>Poll: {poll.question}</h2>
      <p className={look.note}>Opened at {time(poll.opened_at_ms)}.</p>
      <Pairs>
        {choices.map(({ meaning, votes }) => (
          <div key={meaning}>
            <dt>{meaning}</dt>
            <dd>{counted(votes, "vote")}</dd>
          </div>
        ))}
      </Pairs>
    </Card>
  );
}
