// The front door: what this is, and where to go.
// SPDX-License-Identifier: Apache-2.0
import "./landing.css";
import { useEffect, useMemo, useState } from "react";
import { answered, api, Problem, patience } from "../api/client";
import type { StudyPage } from "../api/generated";
import { Notice, Sheet } from "../design/elements";
import { negotiate } from "../language/negotiate";
import { Speaking, useSay } from "../language/Speaking";
import { languages, wishes } from "../language/words";

/** The study that comes with Thinlab. */
const DEMO = "demo";
const RETRY_MS = 3_000;

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
  const demo = useDemo(language);
  return (
    <Sheet title="Thinlab" tab="Thinlab">
      <p className="lead">{say("landing.lead")}</p>
      <section className="card" aria-labelledby="take-part">
        <h2 id="take-part">{say("landing.take_part")}</h2>
        {demo === "lost" && (
          <Notice tone="warn" title={say("landing.lost.title")}>
            <p>{say("landing.lost.text")}</p>
          </Notice>
        )}
        {demo === "none" && <p>{say("landing.none")}</p>}
        {demo === "loading" && <p className="soft">{say("loading.title")}</p>}
        {typeof demo === "object" && <Invitation study={demo} />}
      </section>
      <p className="small soft">
        {say("landing.desk")} <a href="/researcher">{say("landing.desk.link")}</a>.
      </p>
    </Sheet>
  );
}

function Invitation({ study }: { readonly study: StudyPage }) {
  const say = useSay();
  return (
    <>
      <h3>{study.title}</h3>
      <p>{study.description}</p>
      {study.state === "preparing" && <p className="small soft">{say("landing.preparing")}</p>}
      {study.state === "closed" ? (
        <p className="small soft">{say("landing.closed")}</p>
      ) : (
        <div className="row">
          <a className="button" href={`/s/${study.slug}`}>
            {say("consent.begin")}
          </a>
        </div>
      )}
    </>
  );
}

type Demo = StudyPage | "loading" | "none" | "lost";

function useDemo(language: string): Demo {
  const [demo, setDemo] = useState<Demo>("loading");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const ask = async () => {
      const params = { path: { slug: DEMO }, query: { language } };
      try {
        const study = await answered(
          api.GET("/api/studies/{slug}", { params, signal: patience() }),
        );
        if (!left) setDemo(study);
      } catch (error) {
        if (left) return;
        if (error instanceof Problem) return setDemo("none");
        setDemo("lost");
        timer = setTimeout(() => void ask(), RETRY_MS);
      }
    };
    void ask();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [language]);
  return demo;
}
