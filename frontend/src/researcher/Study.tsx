// One study: what stands above all of its pages, and which page is open.
// SPDX-License-Identifier: Apache-2.0

import { type ComponentType, lazy, Suspense, useCallback } from "react";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import type { StudyOverview } from "../api/generated";
import { Empty } from "../design/Empty";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { Lost } from "../staff/Lost";
import type { Live } from "../staff/live";
import desk from "./desk.module.css";
import type { Kind } from "./kinds/kind";
import { kinds, kindsOf } from "./kinds/registry";
import { useDeskLive } from "./live/useDeskLive";
import { StatusTag } from "./StatusTag";
import styles from "./Study.module.css";
import { ofStudy, StudyContext } from "./useStudy";

const POLL_MS = 6_000;

interface Page {
  readonly title: string;
  readonly Content: ComponentType;
  /** Whether a study has use for it. */
  readonly of: (study: StudyOverview) => boolean;
}

const page = (title: string, load: () => Promise<ComponentType>): Page => ({
  title,
  Content: lazy(async () => ({ default: await load() })),
  of: () => true,
});

/** One page of each kind that has it. */
const ofKinds = (which: keyof Kind["pages"]): Readonly<Record<string, Page>> =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const own = kind.pages[which];
      return own ? [[own.path, { ...own, of: (study) => kindsOf(study).includes(kind) }]] : [];
    }),
  );

/** By the last part of the address; the first one is the study's own address. */
const PAGES: Readonly<Record<string, Page>> = {
  monitor: page("Monitor", async () => (await import("./monitor/Monitor")).MonitorPage),
  participants: page(
    "Participants",
    async () => (await import("./participants/Participants")).Participants,
  ),
  invitations: {
    ...page("Invitations", async () => (await import("./invitations/Invitations")).Invitations),
    of: ({ definition }) => definition.panel === null,
  },
  panel: {
    ...page("Panel", async () => (await import("./panel/Panel")).Panel),
    of: ({ definition }) => definition.panel !== null,
  },
  ...ofKinds("sessions"),
  ...ofKinds("stimuli"),
  design: page("Design", async () => (await import("./plan/Design")).Design),
  power: page("Power", async () => (await import("./power/Power")).Power),
  results: page("Results", async () => (await import("./results/Results")).Results),
  export: page("Export", async () => (await import("./export/Export")).Export),
};

interface StudyProps {
  readonly slug: string;
  readonly page: string;
  /** One of the things that the page is about; null: all of them. */
  readonly item: string | null;
  readonly onSignedOut: () => void;
}

export function Study({ slug, page, item, onSignedOut }: StudyProps) {
  const ask = useCallback(async () => {
    const study = await answered(api.GET("/api/researcher/studies/{slug}", ofStudy(slug)));
    // The client's types make lists of the contract's pairs.
    return study as StudyOverview;
  }, [slug]);
  const live = useDeskLive(ask, () => POLL_MS, onSignedOut);
  const open = PAGES[page];
  if (!live.data || !open) return <NotThere live={live} />;
  return (
    <StudyContext value={{ study: live.data, item, refresh: live.refresh, onSignedOut }}>
      <Sheet
        title={open.title}
        tab={`${open.title} · ${live.data.title}`}
        wide
        above={<Above study={live.data} at={page} />}
      >
        {live.lost && <Lost />}
        <Suspense fallback={<Empty>The page is being loaded.</Empty>}>
          <open.Content />
        </Suspense>
      </Sheet>
    </StudyContext>
  );
}

function NotThere({ live }: { readonly live: Live<StudyOverview> }) {
  const title = live.problem?.message ?? (live.data ? "There is no such page" : "One moment");
  return (
    <Sheet title={title} tab="Study" wide>
      {live.lost && <Lost />}
      {live.problem?.remedy && <Notice>{live.problem.remedy}</Notice>}
      {!live.data && !live.problem && <Empty>The study is being loaded.</Empty>}
      <p>
        <Link href="/">All studies</Link>
      </p>
    </Sheet>
  );
}

interface AboveProps {
  readonly study: StudyOverview;
  readonly at: string;
}

function Above({ study, at }: AboveProps) {
  const address = `/studies/${encodeURIComponent(study.slug)}`;
  return (
    <>
      <nav aria-label="Breadcrumb" className={look.small}>
        <Link href="/">All studies</Link>
      </nav>
      <Row spread top>
        <p className={styles.title}>
          {study.title} <code className={desk.slug}>{study.slug}</code>
        </p>
        <StatusTag study={study} />
      </Row>
      <nav aria-label="Pages of this study" className={styles.tabs}>
        {Object.entries(PAGES)
          .filter(([, { of }]) => of(study))
          .map(([name, { title }]) => (
            <Link
              key={name}
              href={name === "monitor" ? address : `${address}/${name}`}
              aria-current={name === at ? "page" : undefined}
            >
              {title}
            </Link>
          ))}
      </nav>
    </>
  );
}
