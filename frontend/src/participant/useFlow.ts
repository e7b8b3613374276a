// Ties a participant's flow to the page that shows it.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { Flow, PREPARING_POLL_MS, type Step } from "./flow";

export function useFlow(slug: string, preview: boolean): { step: Step; flow: Flow | null } {
  const [step, show] = useState<Step>({ at: "loading" });
  const [flow, setFlow] = useState<Flow | null>(null);

  useEffect(() => {
    const leaving = new AbortController();
    const begun = new Flow(slug, preview, show, leaving.signal);
    setFlow(begun);
    void begun.begin();
    return () => leaving.abort();
  }, [slug, preview]);

  const preparing = step.at === "preparing";
  useEffect(() => {
    if (!preparing || !flow) return;
    const timer = setInterval(() => void flow.begin(), PREPARING_POLL_MS);
    return () => clearInterval(timer);
  }, [preparing, flow]);

  return { step, flow };
}
