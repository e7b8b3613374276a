// What is heard: first one button, which lets the browser sound; then a letter for
// each lane, of which one is heard.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useSyncExternalStore } from "react";
import type { AudienceState, AudienceYou } from "../../api/generated";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { useLanguage, useSay } from "../../language/Speaking";
import { Loudness } from "../Loudness";
import laneColour from "../laneColour.module.css";
import type { Player } from "../sound/listen";
import styles from "./Hearing.module.css";
import letters from "./letters.module.css";
import type { AudienceLink } from "./link";
import { plainly } from "./plainly";

interface HearingProps {
  readonly state: AudienceState;
  readonly you: AudienceYou | null;
  readonly link: AudienceLink;
  readonly player: Player;
}

export function Hearing({ state, you, link, player }: HearingProps) {
  const say = useSay();
  const language = useLanguage();
  const sound = useSyncExternalStore(player.subscribe, player.view);
  const { at } = sound;
  if (at === "silent" || at === "blocked") {
    const listen = () => (at === "blocked" ? player.unblock() : player.start());
    return (
      <section className={styles.hearing} data-testid="hearing" aria-label={say("audience.choose")}>
        <Button className={styles.listen} onClick={listen}>
          {say("audience.listen")}
        </Button>
        <p className={look.soft} role="status">
          {say(at === "blocked" ? "audience.sound.blocked" : "audience.listen.text")}
        </p>
      </section>
    );
  }
  return (
    <section className={styles.hearing} data-testid="hearing" aria-label={say("audience.choose")}>
      <div className={letters.letters} data-lanes={state.lanes.length}>
        {state.lanes.map(({ letter, revealed }) => (
          <button
            key={letter}
            type="button"
            className={clsx(letters.letter, laneColour[letter])}
            aria-pressed={you?.letter === letter}
            onClick={() => link.listen(letter)}
          >
            <strong>{letter}</strong>
            {revealed && <span lang="en">{revealed.name}</span>}
            {revealed && <span className={letters.plainly}>{plainly(revealed, language)}</span>}
          </button>
        ))}
      </div>
      <p role="status">
        {at === "playing" && you && say("audience.heard", { label: you.letter })}
        {at === "opening" && say("audience.sound.opening")}
        {at === "away" && say("audience.sound.away")}
        {at === "failed" && say("audience.sound.failed")}
        {sound.reason && <span lang="en"> {sound.reason}</span>}
      </p>
      <p className={look.note}>
        {say("audience.clip")} {state.blind && say("audience.blind")}
      </p>
      <div className={clsx(styles.level, look.small)}>
        <Loudness
          label={say("audience.level")}
          level={sound.level}
          onSet={(level) => player.setLevel(level)}
        />
        <Button quiet slim onClick={() => player.stop()}>
          {say("audience.stop")}
        </Button>
      </div>
    </section>
  );
}
