// Ties a participant's flow to the page that shows it.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { wishes } from "../language/words";
import { readAddress } from "./address";
import { Flow, PREPARING_POLL_MS } from "./flow";
import type { Step } from "./steps";

export function useFlow(): { step: Step; flow: Flow | null } {
  const [step, show] = useState<Step>({ at: "loading" });
  const [flow, setFlow] = useState<Flow | null>(null);
  const [hash, setHash] = useState(location.hash);

  useEffect(() => {
    const move = () => setHash(location.hash);
    addEventListener("hashchange", move);
    return () => removeEventListener("hashchange", move);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another link of the study is another flow
  useEffect(() => {
    const leaving = new AbortController();
    const begun = new Flow(readAddress(location), wishes(), show, leaving.signal);
    setFlow(begun);
    void begun.begin();
    return () => leaving.abort();
  }, [hash]);

  const preparing = step.at === "preparing";
  useEffect(() => {
    if (!preparing || !flow) return;
    const timer = setInterval(() => void flow.begin(), PREPARING_POLL_MS);
    return () => clearInterval(timer);
  }, [preparing, flow]);

  return { step, flow };
}
