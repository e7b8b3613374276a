// A test of hearing or equipment after the sound check: of some sounds, which one is it? As many
// tries as the study gives, and a way on where it is not needed.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import type { HearingAnswers, HearingTry } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { Sheet } from "../../design/Sheet";
import { useSay } from "../../language/Speaking";
import { Draft } from "../draft";
import { applyLevel, readLevel } from "../level";
import { beginHearingTest } from "../server";
import { checkOf } from "./registry";

interface HearingTestProps {
  readonly participant_token: string;
  /** A try, to be judged, or null where it is; whether another try or another test follows. */
  readonly onTried: (answers: HearingAnswers | null) => Promise<boolean>;
  /** Another device has settled it. */
  readonly onAskAgain: () => Promise<void>;
}

export function HearingTest({ participant_token, onTried, onAskAgain }: HearingTestProps) {
  const say = useSay();
  const [draft] = useState(() => new Draft("hearing", participant_token));
  const [trying, setTrying] = useState<HearingTry | null>(null);
  const [begun, setBegun] = useState(false);
  const ask = async () => {
    const next = await beginHearingTest(participant_token);
    if (!next) return onAskAgain();
    setBegun(draft.read().of_try === nameOf(next));
    setTrying(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and again after each try
  useEffect(() => {
    applyLevel(readLevel());
    void ask();
  }, []);
  if (!trying) {
    return (
      <Sheet title={say("hearing.title")}>
        <p className={look.soft} role="status">
          {say("loading.text")}
        </p>
      </Sheet>
    );
  }
  const { test, number, rounds, needed } = trying;
  const without = say(`hearing.without.${needed ? "needed" : "asked"}`);
  if (!begun) {
    return (
      <Sheet title={say(number > 1 ? "hearing.again.title" : `hearing.${test}.title`)}>
        <p className={look.lead}>{say(number > 1 ? "hearing.again.text" : "hearing.why")}</p>
        <Card as="div">
          <p>{say(`hearing.${test}.how`, { rounds })}</p>
          <p className={look.note}>{without}</p>
          <Row>
            <Button
              onClick={() => {
                draft.write({ of_try: nameOf(trying), answers: [] });
                setBegun(true);
              }}
            >
              {say("headphones.begin")}
            </Button>
          </Row>
        </Card>
      </Sheet>
    );
  }
  const { Rounds } = checkOf(test);
  return (
    <Rounds
      key={`${nameOf(trying)} ${trying.answered}`}
      trying={trying}
      participant_token={participant_token}
      draft={draft}
      without={without}
      onAnswers={async (answers) => {
        if (await onTried(answers)) await ask();
      }}
      onOver={async () => {
        if (await onTried(null)) await ask();
      }}
      onLeave={() => {
        draft.write({ of_try: "", answers: [] });
        setBegun(false);
        // What was answered meanwhile is the server's to say.
        void ask();
      }}
    />
  );
}

const nameOf = ({ test, number }: HearingTry): string => `${test} ${number}`;
