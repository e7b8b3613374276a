// The presenter's pages: start a demo, run it, look at it afterwards.
// SPDX-License-Identifier: Apache-2.0

import { Empty } from "../design/Empty";
import { Notice } from "../design/Notice";
import { Sheet } from "../design/Sheet";
import "../staff/untouched";
import { lazy, Suspense, useCallback, useState } from "react";
import { Route, Router, Switch } from "wouter";
import { answered, api, patience } from "../api/client";
import { Lost } from "../staff/Lost";
import { useLive } from "../staff/live";
import { NoSuchPage } from "../staff/NoSuchPage";
import { Demos } from "./Demos";
import { OneDemo } from "./OneDemo";
import { admit, takePresenterToken } from "./presenterToken";

const SharedReplay = lazy(async () => ({
  default: (await import("./replay/SharedReplay")).SharedReplay,
}));

// Taken while the code loads, before anything can be shown or followed.
const token = takePresenterToken();
const STATE_POLL_MS = 30_000;
const LOST_POLL_MS = 2_000;

export default function Presenter() {
  return (
    <Router base="/demo">
      <Suspense fallback={<Opening />}>
        <Switch>
          <Route path="/replay/:token">
            {({ token: shared }) => <SharedReplay token={shared} />}
          </Route>
          <Route>
            <Admitted />
          </Route>
        </Switch>
      </Suspense>
    </Router>
  );
}

function Admitted() {
  // The lane that sounds first begins to with the click on "Start".
  const [started, setStarted] = useState<number | null>(null);
  const ask = useCallback(async () => {
    if (token) await admit(token);
    return answered(api.GET("/api/demos/presenter", { signal: patience() }));
  }, []);
  const { data, problem, lost, said } = useLive(ask, (access) =>
    access ? STATE_POLL_MS : LOST_POLL_MS,
  );
  if (problem || (data && !data.allowed)) return <NotAdmitted />;
  if (!data) return <Opening lost={lost} said={said} />;
  return (
    <Switch>
      <Route path="/">
        <Demos researcher={data.researcher} onStarted={setStarted} />
      </Route>
      <Route path="/:id/*?">
        {({ id, "*": rest }) => (
          <OneDemo
            key={id}
            demo_id={Number(id)}
            page={rest ?? ""}
            listening={started === Number(id)}
          />
        )}
      </Route>
      <Route>
        <NoSuchPage all="All demos" />
      </Route>
    </Switch>
  );
}

function NotAdmitted() {
  return (
    <Sheet title="This page is for the presenter" tab="Live demo">
      <Notice>
        <p>
          Open the address that Thinlab printed when it was started (“Live demo: …”). It is another
          one after each start, and good for a day. On the server,{" "}
          <code>thinlab access presenter</code> makes one.
        </p>
        <p>
          Or <a href="/researcher">sign in as a researcher</a>, and come back.
        </p>
      </Notice>
    </Sheet>
  );
}

interface OpeningProps {
  readonly lost?: boolean;
  readonly said?: string | null;
}

function Opening({ lost = false, said = null }: OpeningProps) {
  return (
    <Sheet title="One moment" tab="Live demo">
      <div role="status">
        {lost ? <Lost said={said} /> : <Empty>The page is being opened.</Empty>}
      </div>
    </Sheet>
  );
}
