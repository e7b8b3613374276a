// What was typed under the votes, and whether our own machines had a hand in it.
// SPDX-License-Identifier: Apache-2.0

import { Link } from "wouter";
import type { StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Notice } from "../../../design/Notice";
import type { Term } from "../../../design/Pairs";
import { delay } from "../../../staff/format";
import { Counts } from "../../Counts";
import { useStudy } from "../../useStudy";
import styles from "./Typed.module.css";

interface TypedProps {
  readonly results: StudyResults;
}

/** Before everything else: who reads the votes must know. */
export function Spoilt({ results: { typed } }: TypedProps) {
  if (!typed?.spoilt) return null;
  return (
    <Notice tone="warn" title="Our own machines had a hand in these votes">
      <p>{typed.sentence}</p>
      <p>
        A session that was spoilt is typed again, and only the second counts. But who had to has
        typed more than the others, and a machine that was late once may have been felt more often.
        The export says of every session what happened to it: compare the votes without those.
      </p>
    </Notice>
  );
}

export function Typed({ results: { typed } }: TypedProps) {
  const { study } = useStudy();
  if (!typed) return null;
  const figures: readonly Term[] = [
    ["count", typed.done],
    ["void, and typed again", typed.void],
    ["void for what our machines did", typed.void_by_host],
    ["count, with a late emulator", typed.late_emulators],
    ["longest that a key waited for our machines", delay(typed.host_wait_max_ms)],
    ["the same in void sessions", delay(typed.void_wait_max_ms)],
  ];
  return (
    <TitledCard id="typed" title="Typing sessions">
      <Counts of={figures} className={styles.figures} />
      <p className={look.note}>
        Of the participants analysed, without training. Those of everybody, with why each is void,
        are on the page{" "}
        <Link href={`/studies/${encodeURIComponent(study.slug)}/typing`}>Typing</Link>.
      </p>
    </TitledCard>
  );
}
