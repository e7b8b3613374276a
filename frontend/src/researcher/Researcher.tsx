// The researcher's desk: sign in, studies, one study's pages.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { Button } from "../design/Button";
import { Empty } from "../design/Empty";
import look from "../design/look.module.css";
import { Sheet } from "../design/Sheet";
import styles from "./Researcher.module.css";
import "../staff/untouched";
import { lazy, Suspense } from "react";
import { Link, Route, Router, Switch } from "wouter";
import { answered, api, patience } from "../api/client";
import { Lost } from "../staff/Lost";
import { useLive } from "../staff/live";
import { NoSuchPage } from "../staff/NoSuchPage";
import { Access } from "./access/Access";
import { Health } from "./Health";
import { SetPassword, SignIn } from "./SignIn";
import { Studies } from "./Studies";
import { Study } from "./Study";
import { takeSetupToken } from "./setupToken";

// Taken while the code loads, before anything can be shown or followed.
const setupToken = takeSetupToken();
const STATE_POLL_MS = 30_000;
const LOST_POLL_MS = 2_000;

/** Few researchers of a study need them. */
const ExperimentPages = lazy(async () => ({
  default: (await import("./experiments/ExperimentPages")).ExperimentPages,
}));

const ask = () => answered(api.GET("/api/researcher/state", { signal: patience() }));

export default function Researcher() {
  const { data, lost, refresh } = useLive(ask, (state) => (state ? STATE_POLL_MS : LOST_POLL_MS));
  if (!data) return <Waiting lost={lost} />;
  if (!data.password_set) return <SetPassword token={setupToken} onSet={refresh} />;
  if (!data.signed_in) return <SignIn onSignedIn={refresh} />;
  return (
    <Router base="/researcher">
      <Top onSignedOut={refresh} />
      {lost && <Lost />}
      <Switch>
        <Route path="/">
          <Studies onSignedOut={refresh} />
        </Route>
        <Route path="/health">
          <Health onSignedOut={refresh} />
        </Route>
        <Route path="/access">
          <Access onSignedOut={refresh} />
        </Route>
        <Route path="/experiments/*?">
          {({ "*": rest }) => (
            <Suspense fallback={<Empty>The page is being loaded.</Empty>}>
              <ExperimentPages path={rest ?? ""} onSignedOut={refresh} />
            </Suspense>
          )}
        </Route>
        <Route path="/studies/:slug/*?">
          {({ slug, "*": rest }) => {
            const [page, item] = (rest ?? "").split("/");
            return (
              <Study
                key={slug}
                slug={decodeURIComponent(slug)}
                page={page || "monitor"}
                item={item || null}
                onSignedOut={refresh}
              />
            );
          }}
        </Route>
        <Route>
          <NoSuchPage all="All studies" />
        </Route>
      </Switch>
      <footer className={clsx(styles.foot, look.small)}>
        <a href="/docs/">Documentation</a>
      </footer>
    </Router>
  );
}

function Top({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const signOut = async () => {
    await api.DELETE("/api/researcher/session").catch(() => null);
    onSignedOut();
  };
  return (
    <header className={styles.top}>
      <Link href="/" className={styles.brand}>
        Thinlab
      </Link>
      <span className={look.note}>Researcher</span>
      <nav className={look.small} aria-label="Desk">
        <Link href="/experiments">Experiments</Link>
        <a href="/demo">Live demo</a>
        <Link href="/health">Health</Link>
        <Link href="/access">Access</Link>
      </nav>
      <Button quiet slim onClick={() => void signOut()}>
        Sign out
      </Button>
    </header>
  );
}

function Waiting({ lost }: { readonly lost: boolean }) {
  return (
    <Sheet title="One moment" tab="Researcher">
      <div role="status">
        {lost ? <Lost /> : <Empty>The researcher’s desk is being opened.</Empty>}
      </div>
    </Sheet>
  );
}
