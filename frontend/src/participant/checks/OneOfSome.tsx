// Rounds of some sounds, one of which is the right one. Their answers are kept on this device
// until the last, and sent together.
// SPDX-License-Identifier: Apache-2.0
import { useSay } from "../../language/Speaking";
import { fetchHearingRound } from "../recordings";
import { SoundRounds } from "../SoundRounds";
import type { RoundsProps } from "./check";

interface OneOfSomeProps extends RoundsProps {
  /** Its texts are `hearing.<test>.play` and `.which`. */
  readonly test: "levels" | "bandwidth";
}

export function OneOfSome({ test, ...props }: OneOfSomeProps) {
  const { trying, participant_token, draft, without, onAnswers, onLeave } = props;
  const say = useSay();
  const { number, rounds, sounds } = trying;
  return (
    <SoundRounds
      rounds={rounds}
      sounds={sounds}
      words={{
        play: say(`hearing.${test}.play`),
        which: say(`hearing.${test}.which`),
        playing: (sound) => say("hearing.playing", { number: sound, sounds }),
        option: (sound) => say("hearing.option", { number: sound }),
        without,
      }}
      before={draft.read().answers ?? []}
      onAnswers={(answers) => draft.write({ answers })}
      fetchRound={(round, signal) =>
        fetchHearingRound(test, number, round + 1, participant_token, signal)
      }
      onOver={(answers) => onAnswers({ test, number, answers: [...answers] })}
      onLeave={onLeave}
    />
  );
}
