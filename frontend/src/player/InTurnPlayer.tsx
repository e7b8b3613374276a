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
import { Blocked, Icon, nameOf, type PlayerProps, useView } from "./parts";
import player from "./player.module.css";
import { lengthOfTurns, PAUSE_SECONDS } from "./turns";

export function InTurnPlayer({ instrument }: PlayerProps<InTurnInstrument>) {
  const say = useSay();
  const view = useView(instrument);
  const { members } = instrument;
  const first = members.length === 1 ? "turns.one" : "turns.both";
  return (
    <section className={player.player} aria-label={say("player.label")}>
      <ol className={members.length === 1 ? clsx(player.members, player.alone) : player.members}>
        {members.map((member) => (
          <Turn key={member} member={member} view={view} members={members} />
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

function shareOf({ turn, playing }: InTurnView, { duration_s, members }: InTurnInstrument): number {
  if (!turn || !playing) return 0;
  const before_s = turn.member === "first" ? 0 : duration_s + PAUSE_SECONDS;
  return (before_s + turn.position_s) / lengthOfTurns(duration_s, members.length);
}

interface TurnProps {
  readonly member: Member;
  readonly view: InTurnView;
  readonly members: readonly Member[];
}

function Turn({ member, view, members }: TurnProps) {
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
      <span className={player.name}>{say(nameOf(member, members))}</span>
      <span className={player.doing}>{say(doing)}</span>
    </li>
  );
}
