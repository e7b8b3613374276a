// What is left of a demo: how it went, its files, and a link to share.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useState } from "react";
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
import { Button, Notice, Sheet } from "../design/elements";
import { CopyButton } from "../researcher/CopyButton";
import { counted, moment } from "../researcher/format";
import { useAct } from "../researcher/useAct";
import { useOnce } from "../researcher/useOnce";
import { Captures } from "./Captures";
import { lettered, path, stream, time } from "./console/wording";
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
        <nav aria-label="Breadcrumb" className="small">
          <Link href="/">All demos</Link>
        </nav>
      }
    >
      <p className="soft">
        {moment(summary.began_at)}
        {summary.length_ms !== null && `, ${time(summary.length_ms)} long`},{" "}
        {counted(takes.length, "take")}.
        {summary.fate === "broken_off" && " It was broken off when the server ended."}
      </p>
      <div className="row">
        <Link className="button" href={`/${demo_id}/replay`}>
          Replay
        </Link>
        <Link className="button quiet" href="/">
          Start another demo
        </Link>
      </div>
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
      <section className="card" aria-labelledby="demo-files">
        <h2 id="demo-files">Files of the whole demo</h2>
        <div className="row">
          <a className="button quiet slim" href={`/api/demos/${demo_id}/results`} download>
            Results (JSON)
          </a>
          <a className="button quiet slim" href={`/api/demos/${demo_id}/events`} download>
            Events (JSON)
          </a>
          <a className="button quiet slim" href={`/api/demos/${demo_id}/feed`} download>
            All that was sent to the pages (NDJSON)
          </a>
        </div>
        <Delete demo_id={demo_id} />
      </section>
    </Sheet>
  );
}

function Delete({ demo_id }: { readonly demo_id: number }) {
  const [, navigate] = useLocation();
  const { busy, trouble, run } = useAct();
  const [sure, setSure] = useState(false);
  const params = { path: { demo_id } };
  const remove = async () => {
    const call = () => answered(api.DELETE("/api/demos/{demo_id}", { params, signal: patience() }));
    if (await run(call)) navigate("/");
  };
  return (
    <>
      <div className="row">
        {sure ? (
          <>
            <Button slim disabled={busy} onClick={() => void remove()}>
              Delete it with all its files
            </Button>
            <Button quiet slim onClick={() => setSure(false)}>
              Keep it
            </Button>
          </>
        ) : (
          <Button quiet slim onClick={() => setSure(true)}>
            Delete this demo
          </Button>
        )}
      </div>
      {trouble && (
        <Notice tone="bad">
          <p role="alert">{trouble}</p>
        </Notice>
      )}
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
    <section className="card" aria-labelledby="share-demo">
      <h2 id="share-demo">Share</h2>
      {link ? (
        <>
          <label className="field">
            Whoever has this link can see the replay and take the files; nothing else.
            <input className="input" readOnly value={link} onFocus={(e) => e.target.select()} />
          </label>
          {isLocal(link) && (
            <Notice tone="warn">
              <p>
                On other devices this link leads nowhere: open this page by the machine’s name or
                address in the network, and it is made of that.
              </p>
            </Notice>
          )}
          <div className="row">
            <CopyButton text={link}>Copy the link</CopyButton>
            <Button quiet slim disabled={busy} onClick={() => void unshare()}>
              Take it back
            </Button>
          </div>
        </>
      ) : (
        <div className="row">
          <Button quiet disabled={busy} onClick={() => void share()}>
            Make a link
          </Button>
          <span className="soft small">to the replay and its files, for anybody who has it.</span>
        </div>
      )}
      {trouble && (
        <Notice tone="bad">
          <p role="alert">{trouble}</p>
        </Notice>
      )}
    </section>
  );
}

interface TakeProps {
  readonly take: DemoTakeRecord;
  readonly demo_id: number;
  readonly events: readonly DemoEvent[];
  readonly measured: TakeResult | null;
}

function Take({ take, demo_id, events, measured }: TakeProps) {
  const { number, settings, ready_at_ms, ended_at_ms, end } = take;
  const changes = changesIn(take, events);
  const title = `take-${number}`;
  return (
    <section className="card" aria-labelledby={title}>
      <h2 id={title}>
        Take {number}: {stream(settings.stream)}
      </h2>
      <p className="small soft">
        {ready_at_ms !== null && `From ${time(ready_at_ms)}`}
        {ended_at_ms !== null && ` to ${time(ended_at_ms)}`}. It began with {path(settings.path)}.
        {end !== null && end !== "finished" && ` It ended otherwise: ${end}`}
      </p>
      {measured?.result ? (
        <>
          {changes.length > 0 && <Changes changes={changes} />}
          <TakeFigures result={measured.result} take={take} />
          <HeldUp result={measured.result} />
        </>
      ) : (
        measured && <p className="soft">It did not end by itself: there are captures only.</p>
      )}
      <Captures take={take} base={`/api/demos/${demo_id}`} />
    </section>
  );
}

function Changes({ changes }: { readonly changes: readonly DemoEvent[] }) {
  return (
    <>
      <p className="small">
        <strong>Changed while it ran</strong>: its figures are of all of it, before and after.
      </p>
      <ol className="small changes">
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
    <p className="small soft">
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
    <section className="card" aria-labelledby={title}>
      <h2 id={title}>Poll: {poll.question}</h2>
      <p className="small soft">Opened at {time(poll.opened_at_ms)}.</p>
      <dl className="pairs">
        {choices.map(({ meaning, votes }) => (
          <div key={meaning}>
            <dt>{meaning}</dt>
            <dd>{counted(votes, "vote")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
