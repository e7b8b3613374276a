// A pair to hear at once: both run on, and a press switches between them. Nothing
// is fetched before the first press.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import type { FrontSample, FrontSampleMember } from "../api/generated";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Progress } from "../design/Progress";
import { useSay } from "../language/Speaking";
import { rounded } from "../language/translation";
import { fetchSample } from "../participant/recordings";
import { FreeInstrument, type FreeView } from "../player/free";
import { decode, output } from "../player/output";
import type { Side } from "../player/pair";
import { Blocked, Icon } from "../player/parts";
import player from "../player/player.module.css";
import styles from "./Sample.module.css";

type State = "asleep" | "loading" | "failed" | FreeInstrument;

export function Sample({ sample }: { readonly sample: FrontSample }) {
  const say = useSay();
  const [state, setState] = useState<State>("asleep");
  const gone = useRef(new AbortController());
  const instrument = state instanceof FreeInstrument ? state : null;
  useEffect(() => {
    // React's strict mode unmounts once and mounts again.
    if (gone.current.signal.aborted) gone.current = new AbortController();
    return () => gone.current.abort();
  }, []);
  useEffect(() => () => instrument?.dispose(), [instrument]);
  const view = useSyncExternalStore(instrument?.subscribe ?? never, instrument?.view ?? nothing);
  const press = async (member: Side) => {
    if (instrument) return instrument.press(member);
    if (state === "loading") return;
    setState("loading");
    // While the press lasts: later the browser would hold the sound back.
    const opened = output();
    void opened.context.resume();
    const { signal } = gone.current;
    try {
      const files = await fetchSample(sample.slug, signal);
      const [first, second] = await Promise.all([
        decode(files.first),
        files.second && decode(files.second),
      ]);
      if (signal.aborted) return;
      const made = new FreeInstrument(opened, second ? { first, second } : { first });
      setState(made);
      await made.hear(member);
    } catch {
      if (!signal.aborted) setState("failed");
    }
  };
  return (
    <Card className={player.player} aria-labelledby="sample">
      <h2 id="sample">{say("sample.title")}</h2>
      <p lang={sample.language}>{sample.about}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons are no form fields */}
      <div className={player.members} role="group" aria-labelledby="sample">
        {(["first", "second"] as const).map((member) => (
          <MemberButton
            key={member}
            member={sample[member]}
            language={sample.language}
            chosen={view?.listening.member === member && view.listening.startedWith !== null}
            sounding={view?.listening.member === member && view.listening.playing}
            onPress={() => void press(member)}
          />
        ))}
      </div>
      {instrument && view && (
        <Progress label={say("player.position")} share={view.position_s / instrument.duration_s} />
      )}
      {view?.blocked && <Blocked onStart={() => void instrument?.play()} />}
      <p className={look.note} role="status">
        {state === "loading" ? say("sample.loading") : say("sample.how")}
      </p>
      {state === "failed" && <Notice tone="warn" title={say("sample.failed")} />}
      <p className={look.note}>{sample.credits.join(" ")}</p>
    </Card>
  );
}

interface MemberButtonProps {
  readonly member: FrontSampleMember;
  readonly language: string;
  readonly chosen: boolean;
  readonly sounding: boolean;
  readonly onPress: () => void;
}

function MemberButton({ member, language, chosen, sounding, onPress }: MemberButtonProps) {
  const say = useSay();
  const id = useId();
  return (
    <button
      type="button"
      className={clsx(player.member, styles.member)}
      aria-labelledby={`${id}name`}
      aria-describedby={`${id}heard`}
      aria-pressed={chosen}
      onClick={onPress}
    >
      <Icon name={sounding ? "sound" : "play"} />
      <span id={`${id}name`} className={clsx(player.name, styles.name)} lang={language}>
        {member.name}
      </span>
      <span id={`${id}heard`} className={player.doing}>
        {say("sample.heard", {
          seconds: rounded(member.concealed_ms / 1000, 1),
          times: rounded(1 / (1 - member.redundancy_share), 2),
        })}
      </span>
    </button>
  );
}

const never = () => () => {};
const nothing = (): FreeView | null => null;
