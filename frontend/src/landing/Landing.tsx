// The front door: what this is, and where to go.
// SPDX-License-Identifier: Apache-2.0
import "./landing.css";
import { useEffect, useState } from "react";
import { answered, api, Problem, patience } from "../api/client";
import type { StudyPage } from "../api/generated";
import { Notice, Sheet } from "../design/elements";

/** The study that comes with Thinlab. */
const DEMO = "demo";
const RETRY_MS = 3_000;

export default function Landing() {
  const demo = useDemo();
  return (
    <Sheet title="Thinlab" tab="Thinlab">
      <p className="lead">
        Can people hear what happens to their voice on its way through the network? Thinlab sends
        sound over a real network stack, keeps what arrived, and asks listeners who do not know
        which is which.
      </p>
      <section className="card" aria-labelledby="take-part">
        <h2 id="take-part">Take part</h2>
        {demo === "lost" && (
          <Notice tone="warn" title="The server cannot be reached">
            <p>This page tries again by itself.</p>
          </Notice>
        )}
        {demo === "none" && (
          <p>No study is open here without an invitation. Use the address that you were given.</p>
        )}
        {demo === "loading" && <p className="soft">One moment.</p>}
        {typeof demo === "object" && <Invitation study={demo} />}
      </section>
      <p className="small soft">
        You run studies here? <a href="/researcher">Go to the researcher’s desk</a>.
      </p>
    </Sheet>
  );
}

function Invitation({ study }: { readonly study: StudyPage }) {
  return (
    <>
      <h3>{study.title}</h3>
      <p>{study.description}</p>
      {study.state === "preparing" && (
        <p className="small soft">Its recordings are being made; it opens in a moment.</p>
      )}
      {study.state === "closed" ? (
        <p className="small soft">It takes no more participants.</p>
      ) : (
        <div className="row">
          <a className="button" href={`/s/${study.slug}`}>
            Begin
          </a>
        </div>
      )}
    </>
  );
}

type Demo = StudyPage | "loading" | "none" | "lost";

function useDemo(): Demo {
  const [demo, setDemo] = useState<Demo>("loading");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const ask = async () => {
      const path = { slug: DEMO };
      try {
        const study = await answered(
          api.GET("/api/studies/{slug}", { params: { path }, signal: patience() }),
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
  }, []);
  return demo;
}
