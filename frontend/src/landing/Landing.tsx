// The front door: what this is, a pair to hear at once, and where to go.
// SPDX-License-Identifier: Apache-2.0

import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { answered, api, patience } from "../api/client";
import type { FrontPage, StudyPage } from "../api/generated";
import { AskCode } from "../demo/audience/AskCode";
import { ButtonLink } from "../design/Button";
import { Card } from "../design/Card";
import { Empty } from "../design/Empty";
import { Gallery } from "../design/Gallery";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { negotiate } from "../language/negotiate";
import { Speaking, useSay } from "../language/Speaking";
import { languages, wishes } from "../language/words";
import { wordsOf } from "../participant/kinds/words";
import { repeated } from "../staff/repeated";
import styles from "./Landing.module.css";

// The instrument is not everybody's who comes by.
const Sample = lazy(async () => ({ default: (await import("./Sample")).Sample }));

const AGAIN_MS = 3_000;

export default function Landing() {
  const language = useMemo(() => negotiate(wishes(), languages), []);
  return (
    <Speaking language={language}>
      <Front language={language} />
    </Speaking>
  );
}

function Front({ language }: { readonly language: string }) {
  const say = useSay();
  const page = useFrontPage(language);
  const there = typeof page === "object" ? page : null;
  return (
    <Sheet title="Thinlab" tab="Thinlab" wide>
      <p className={look.lead}>{say("landing.lead")}</p>
      {page === "lost" && (
        <Notice tone="warn" title={say("landing.lost.title")}>
          <p>{say("landing.lost.text")}</p>
        </Notice>
      )}
      {page === "loading" && <Empty>{say("loading.title")}</Empty>}
      {there?.sample_preparing && <p className={look.soft}>{say("sample.preparing")}</p>}
      {there?.sample && (
        <Suspense fallback={null}>
          <Sample sample={there.sample} />
        </Suspense>
      )}
      {there && <Studies studies={there.studies} language={language} />}
      <Card aria-labelledby="live-demo">
        <h2 id="live-demo">{say("landing.demo")}</h2>
        <p>{say("landing.demo.text")}</p>
        <AskCode bare />
        <p className={look.note}>
          <a href="/demo">{say("landing.demo.present")}</a>
        </p>
      </Card>
      <p className={look.note}>
        {say("landing.desk")} <a href="/researcher">{say("landing.desk.link")}</a>.
      </p>
    </Sheet>
  );
}

interface StudiesProps {
  readonly studies: readonly StudyPage[];
  readonly language: string;
}

function Studies({ studies, language }: StudiesProps) {
  const say = useSay();
  const first = studies.toSorted((a, b) => Number(b.state === "open") - Number(a.state === "open"));
  return (
    <section className={styles.studies} aria-labelledby="take-part">
      <h2 id="take-part">{say("landing.take_part")}</h2>
      {studies.length === 0 && <p>{say("landing.none")}</p>}
      <Gallery className={styles.showroom}>
        {first.map((study) => (
          <Card key={study.slug} as="li" className={styles.study}>
            <Invitation study={study} foreign={study.language !== language} />
          </Card>
        ))}
      </Gallery>
    </section>
  );
}

interface InvitationProps {
  readonly study: StudyPage;
  /** Whether its texts are in another language than the page's own. */
  readonly foreign: boolean;
}

function Invitation({ study, foreign }: InvitationProps) {
  const say = useSay();
  const { slug, state, minutes } = study;
  const facts = [
    ...study.media.map((medium) => say(wordsOf(medium).invitation)),
    minutes !== null && say("landing.minutes", { minutes }),
  ];
  return (
    <>
      <h3 id={`study-${slug}`} {...(foreign && { lang: study.language })}>
        {study.title}
      </h3>
      <p {...(foreign && { lang: study.language })}>{study.description}</p>
      <p className={look.note}>{facts.filter(Boolean).join(" · ")}</p>
      {state === "open" ? (
        <Row className={styles.begin}>
          <ButtonLink
            id={`to-${slug}`}
            href={`/s/${slug}`}
            aria-labelledby={`to-${slug} study-${slug}`}
          >
            {say("landing.begin")}
          </ButtonLink>
        </Row>
      ) : (
        <p className={look.note}>{say(state === "full" ? "landing.full" : "landing.preparing")}</p>
      )}
    </>
  );
}

type Shown = FrontPage | "loading" | "lost";

/** What the server shows; asked again while something of it is on its way. */
function useFrontPage(language: string): Shown {
  const [page, setPage] = useState<Shown>("loading");
  useEffect(() => {
    return repeated(async (isOver) => {
      try {
        const params = { query: { language } };
        const told = await answered(api.GET("/api/front-page", { params, signal: patience() }));
        if (!isOver()) setPage(told);
        const more =
          told.sample_preparing || told.studies.some(({ state }) => state === "preparing");
        return more ? AGAIN_MS : null;
      } catch {
        if (!isOver()) setPage("lost");
        return AGAIN_MS;
      }
    });
  }, [language]);
  return page;
}
