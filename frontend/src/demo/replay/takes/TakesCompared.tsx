// Several takes of a demo laid over each other: their distributions, how late messages
// were all along, and a table of what each lane measured.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useState } from "react";
import type { DemoDetails, DemoTakeRecord, ResultList } from "../../../api/generated";
import { Card } from "../../../design/Card";
import { Empty } from "../../../design/Empty";
import { Check } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Stack } from "../../../design/Stack";
import type { ReplayFeed } from "../../feed/replay";
import { FigureTable } from "../../TakeFigures";
import { linesOf, MOST_TAKES, type Results } from "./lines";
import { TakesCdf, TakesDelays } from "./TakesCharts";
import styles from "./TakesCompared.module.css";
import { type Traces, tracesOf } from "./traces";

interface TakesComparedProps {
  readonly feed: ReplayFeed;
  readonly demo: DemoDetails;
  /** Where the demo's results are. */
  readonly base: string;
  /** Whether the feed has been read to its end. */
  readonly whole: boolean;
}

export function TakesCompared({ feed, demo, base, whole }: TakesComparedProps) {
  const [open, setOpen] = useState(false);
  const takes = demo.takes.filter(({ ready_at_ms }) => ready_at_ms !== null);
  if (takes.length < 2) return null;
  return (
    <details className={styles.compared} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Takes laid over each other</summary>
      {open && !whole && <Empty>More is being loaded…</Empty>}
      {open && whole && (
        <Compared feed={feed} title={demo.summary.title} base={base} takes={takes} />
      )}
    </details>
  );
}

interface ComparedProps extends Pick<TakesComparedProps, "feed" | "base"> {
  readonly title: string;
  readonly takes: readonly DemoTakeRecord[];
}

function Compared({ feed, title, base, takes }: ComparedProps) {
  const [chosen, setChosen] = useState<readonly number[]>(() =>
    takes.slice(-2).map(({ number }) => number),
  );
  const known = useTakes(feed, takes, base);
  const shown = takes.filter(({ number }) => chosen.includes(number));
  const flip = (number: number) =>
    setChosen(
      chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number],
    );
  const lines = known ? linesOf(shown, known.traces, known.results) : [];
  const about = { title, takes: shown, lines };
  return (
    <Stack gap={5}>
      <Card as="fieldset" className={styles.choice}>
        <legend className={look.note}>
          {takes.length > MOST_TAKES ? `At most ${MOST_TAKES} at a time` : "Which takes"}
        </legend>
        {takes.map(({ number, words }) => (
          <Check key={number}>
            <input
              type="checkbox"
              checked={chosen.includes(number)}
              disabled={!chosen.includes(number) && chosen.length >= MOST_TAKES}
              onChange={() => flip(number)}
            />
            Take {number}: {words.stream}, {words.path}
          </Check>
        ))}
      </Card>
      {!known && <Empty>The takes are being read…</Empty>}
      {known && shown.length === 0 && <p className={look.soft}>Choose a take.</p>}
      {known && shown.length > 0 && (
        <>
          <TakesCdf about={about} />
          <TakesDelays about={about} />
          <Card>
            <FigureTable
              label="Figures of the chosen takes"
              columns={lines.map(({ title, words, measured }) => ({
                title,
                words,
                result: measured,
              }))}
            />
            <p className={look.note}>
              Paths and senders are those with which each take began; figures are of all of it, also
              where something was changed while it ran.
            </p>
          </Card>
        </>
      )}
    </Stack>
  );
}

interface Known {
  readonly traces: Traces;
  readonly results: Results;
}

/** What is known of all takes; null: it is being read. */
function useTakes(feed: ReplayFeed, takes: readonly DemoTakeRecord[], base: string): Known | null {
  const [known, setKnown] = useState<Known | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a demo that is over has the takes that it has
  useEffect(() => {
    const leaving = new AbortController();
    const read = async () => {
      const [traces, results] = await Promise.all([
        tracesOf(feed, takes, leaving.signal),
        resultsFrom(base, leaving.signal),
      ]);
      if (traces && !leaving.signal.aborted) setKnown({ traces, results });
    };
    void read();
    return () => leaving.abort();
  }, [feed, base]);
  return known;
}

/** Without them, what the feed told last has to do. */
async function resultsFrom(base: string, signal: AbortSignal): Promise<Results> {
  try {
    const answer = await fetch(`${base}/results`, { credentials: "same-origin", signal });
    const { takes } = (await answer.json()) as ResultList;
    return new Map(takes.map(({ number, result }) => [number, result]));
  } catch {
    return new Map();
  }
}
