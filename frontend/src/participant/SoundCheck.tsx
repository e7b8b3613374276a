// Opens the sound output with a click, lets the listener set a level, and tests
// for headphones where the study asks for it.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { SoundCheck as Checked } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import { Check, Field, Slider } from "../design/Field";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { useSay } from "../language/Speaking";
import { Draft } from "./draft";
import { HeadphoneTest } from "./HeadphoneTest";
import { readLevel, writeLevel } from "./level";
import type { Sounding } from "./steps";
import { useVoice } from "./useVoice";

interface SoundCheckProps extends Sounding {
  /** After a try of the headphone test; whether it is settled. */
  readonly onTried: (checked: Checked) => Promise<boolean>;
  readonly onDone: (checked: Checked) => Promise<void>;
}

export function SoundCheck({
  study,
  participant_token,
  headphones,
  headphone_signal,
  onTried,
  onDone,
}: SoundCheckProps) {
  const [draft] = useState(() => new Draft("sound", participant_token));
  const [level_percent, setLevel] = useState(draft.read().level_percent ?? null);
  const done = (level: number) => {
    draft.sent();
    return onDone({ level_percent: level, headphones: null });
  };
  if (level_percent === null) {
    return (
      <SetLevel
        slug={study.slug}
        headphones={headphones}
        draft={draft}
        onSet={async (level) => {
          if (headphones === "any") return done(level);
          draft.write({ level_percent: level });
          setLevel(level);
        }}
      />
    );
  }
  return (
    <HeadphoneTest
      signal={headphone_signal}
      draft={draft}
      needed={headphones === "required"}
      participant_token={participant_token}
      onTried={(answers) => onTried({ level_percent, headphones: answers })}
      onDone={() => done(level_percent)}
    />
  );
}

interface SetLevelProps extends Pick<Sounding, "headphones"> {
  readonly slug: string;
  readonly draft: Draft<"sound">;
  readonly onSet: (level_percent: number) => Promise<void>;
}

const LABELS = {
  loading: "sound.loading",
  ready: "sound.play",
  playing: "sound.stop",
  blocked: "sound.play",
} as const;

function SetLevel({ slug, headphones, draft, onSet }: SetLevelProps) {
  const say = useSay();
  const voice = useVoice(slug);
  const [percent, setPercent] = useState(readLevel);
  const [heard, setHeard] = useState(draft.read().heard ?? false);
  // Before the page was loaded again counts, too.
  const [before] = useState(heard);
  const played = voice.played || before;
  const [leaving, setLeaving] = useState(false);
  const turn = (to: number) => {
    setPercent(to);
    writeLevel(to);
  };
  const goOn = async () => {
    setLeaving(true);
    voice.stop();
    await onSet(percent);
    setLeaving(false);
  };
  const where = headphones === "required" ? "sound.lead.headphones" : "sound.lead.any";
  return (
    <Sheet title={say("sound.title")}>
      <p className={look.lead}>
        {say(where)} {say("sound.lead.level")}
      </p>
      <Card as="div">
        <Row>
          <Button disabled={voice.state === "loading"} onClick={() => void voice.toggle()}>
            {say(LABELS[voice.state])}
          </Button>
          <span className={look.note} role="status">
            {voice.state === "playing" && say("sound.repeats")}
          </span>
        </Row>
        {voice.state === "blocked" && (
          <div role="alert">
            <Notice tone="warn" title={say("sound.blocked.title")}>
              <p>{say("sound.blocked.text")}</p>
            </Notice>
          </div>
        )}
        <Field id="level" label={say("sound.level")} note={say("sound.louder")}>
          {(id) => (
            <Slider
              id={id}
              min={5}
              max={100}
              step={1}
              value={percent}
              aria-valuetext={say("sound.percent", { percent })}
              onSet={turn}
            />
          )}
        </Field>
        <Check>
          <input
            type="checkbox"
            checked={heard}
            onChange={({ target: { checked } }) => {
              setHeard(checked);
              if (played) draft.write({ heard: checked });
            }}
          />
          <span>{say("sound.heard")}</span>
        </Check>
        <Row>
          <Button disabled={!heard || !played || leaving} onClick={() => void goOn()}>
            {say("go.on")}
          </Button>
          {!played && <span className={look.note}>{say("sound.play_first")}</span>}
        </Row>
      </Card>
    </Sheet>
  );
}
