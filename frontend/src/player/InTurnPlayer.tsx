// The player of a trial that is heard in turn: what was heard, what sounds now,
// and one button. Nothing to seek or to switch, and nothing of the sound itself.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { Button } from "../design/Button";
import { Progress } from "../design/Progress";
import { useSay } from "../language/Speaking";
import styles from "./InTurnPlayer.module.css";
import type { InTurnInstrument, InTurnView } from "./inTurn";
import type { Member } from "./pair";
import { Blocked, Icon, membersClass, type PlayerProps, useView } from "./parts";
import player from "./player.module.css";
import { lengthOfTurns, PAUSE_SECONDS } from "./turns";

export function InTurnPlayer({ instrument, names }: PlayerProps<InTurnInstrument>) {
  const say = useSay();
  const view = useView(instrument);
  const { members } = instrument;
  const first = STARTS[members.length] ?? "turns.both";
  return (
    <section className={player.player} aria-label={say("player.label")}>
      <ol className={membersClass(members)}>
        {members.map((member) => (
          <Turn key={member} member={member} view={view} name={say(names[member])} />
        ))}
      </ol>
      <div className={player.transport}>
        <Button className={player.play} data-testid="play" onClick={() => void instrument.toggle()}>
          <Icon name={view.playing ? "stop" : "play"} />
          {say(view.playing ? "turns.stop" : view.mayVote ? "turns.again" : first)}
        </Button>
        <div className={player.position}>
          <Progress
            className={styles.bar}
            label={say("turns.progress")}
            share={shareOf(view, instrument)}
          />
        </div>
      </div>
      {view.blocked && <Blocked onStart={() => void instrument.play()} />}
    </section>
  );
}

/** What the button says before anything was heard, by how many are to be heard. */
const STARTS: Readonly<Record<number, "turns.one" | "turns.both" | "turns.three">> = {
  1: "turns.one",
  2: "turns.both",
  3: "turns.three",
};

function shareOf({ turn, playing }: InTurnView, { duration_s, members }: InTurnInstrument): number {
  if (!turn || !playing) return 0;
  const before_s = members.indexOf(turn.member) * (duration_s + PAUSE_SECONDS);
  return (before_s + turn.position_s) / lengthOfTurns(duration_s, members.length);
}

interface TurnProps {
  readonly member: Member;
  readonly view: InTurnView;
  readonly name: string;
}

function Turn({ member, view, name }: TurnProps) {
  const say = useSay();
  const { turn, playing, heard } = view;
  const sounding = playing && turn?.member === member && turn.phase === "sounding";
  const doing = sounding ? "turns.playing" : heard[member] > 0 ? "turns.heard" : "turns.waiting";
  return (
    <li
      className={
        sounding
          ? clsx(player.member, player.turn, player.sounding)
          : clsx(player.member, player.turn)
      }
    >
      <Icon name={sounding ? "sound" : heard[member] > 0 ? "done" : "play"} />
      <span className={player.name}>{name}</span>
      <span className={player.doing}>{say(doing)}</span>
    </li>
  );
}
