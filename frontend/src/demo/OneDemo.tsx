// One demo: its console while it runs, what is left of it afterwards.
// SPDX-License-Identifier: Apache-2.0

import { lazy, Suspense, useCallback, useState } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../api/client";
import { useLive } from "../staff/live";
import { After } from "./After";
import { Waiting } from "./Waiting";

const Console = lazy(async () => ({ default: (await import("./console/Console")).Console }));
const OwnReplay = lazy(async () => ({ default: (await import("./replay/OwnReplay")).OwnReplay }));

const POLL_MS = 30_000;
/** Until the server has written down that it ended. */
const ENDING_POLL_MS = 500;

interface OneDemoProps {
  readonly demo_id: number;
  readonly page: string;
  readonly listening: boolean;
}

export function OneDemo({ demo_id, page, listening }: OneDemoProps) {
  const ask = useCallback(async () => {
    const [options, demo] = await Promise.all([
      answered(api.GET("/api/demos/options", { signal: patience() })),
      answered(
        api.GET("/api/demos/{demo_id}", { params: { path: { demo_id } }, signal: patience() }),
      ),
    ]);
    return { options, demo };
  }, [demo_id]);
  const [ended, setEnded] = useState(false);
  const asked = useLive(ask, (found) =>
    ended && found?.demo.summary.fate === "running" ? ENDING_POLL_MS : POLL_MS,
  );
  const { data, refresh } = asked;
  const end = useCallback(() => {
    setEnded(true);
    refresh();
  }, [refresh]);
  if (!data) {
    return (
      <Waiting asked={asked} tab="Live demo" loading="The demo is being loaded.">
        <p>
          <Link href="/">All demos</Link>
        </p>
      </Waiting>
    );
  }
  const { demo, options } = data;
  const goesOn = demo.summary.fate === "running";
  return (
    <Suspense fallback={null}>
      {page === "replay" && !goesOn ? (
        <OwnReplay demo={demo} />
      ) : goesOn ? (
        <Console
          demo_id={demo_id}
          began_at={demo.summary.began_at}
          options={options}
          listening={listening}
          onEnded={end}
        />
      ) : (
        <After demo={demo} onChanged={refresh} />
      )}
    </Suspense>
  );
}
