// What is sent over the lanes.
// SPDX-License-Identifier: Apache-2.0

import { useId } from "react";
import type {
  Availability,
  ClipOption,
  ClipStream,
  SyntheticStream,
  TerminalStream,
} from "../../api/generated";
import { Card } from "../../design/Card";
import { ChipChoice, Chips } from "../../design/Chip";
import { Field, SelectOne } from "../../design/Field";
import look from "../../design/look.module.css";
import { type DemoStream, KINDS, STREAMS } from "../streams";
import type { Asking } from "./asking";
import { MicrophoneField } from "./MicrophoneField";
import { QuantityOf } from "./Quantity";
import { SYNTHETIC } from "./scales";
import type { Wish } from "./undoing";
import { wantedSynthetic } from "./undoing";

interface StreamCardProps extends Asking {
  readonly clips: readonly ClipOption[];
  readonly editors: readonly Availability[];
}

/** What the editor shows at first. */
const TEXT =
  "\n\n" +
  "Type above: each key goes over every lane and back before you see it.\n" +
  "A key that is lost on the way is late, and so are those behind it.\n";

type CodecName = NonNullable<ClipStream["codec"]>;

const CODECS: Readonly<Record<CodecName, { readonly title: string; readonly note: string }>> = {
  opus: { title: "Opus", note: "A damaged packet is left out." },
  g711: { title: "G.711", note: "A telephone’s sound. What came damaged is heard as it came." },
};
const CODEC_NAMES = Object.keys(CODECS) as CodecName[];

export function StreamCard(props: StreamCardProps) {
  const { state, onItsWay, clips, editors, disabled, onWish } = props;
  const { stream } = state;
  const heading = useId();
  const group = useId();
  const waits = onItsWay.some((wish) => wish.do === "set_stream");
  const editor = editors.find(({ available }) => available);
  const first: Readonly<Record<DemoStream["kind"], DemoStream | null>> = {
    clip: clips[0] ? { kind: "clip", clip: clips[0].name } : null,
    microphone: { kind: "microphone" },
    terminal: editor
      ? { kind: "terminal", editor: editor.name as TerminalStream["editor"], text: TEXT }
      : null,
    synthetic: { kind: "synthetic", payload_bytes: 120, iat_ms: 140 },
  };
  const begin = (next: DemoStream | null) => next && onWish({ do: "set_stream", stream: next });
  return (
    <Card aria-labelledby={heading}>
      <h2 id={heading}>Stream</h2>
      <Chips name="Kind of stream">
        {KINDS.map((kind) => (
          <ChipChoice
            key={kind}
            name={group}
            checked={stream.kind === kind}
            disabled={disabled || !first[kind]}
            onChange={() => begin(first[kind])}
          >
            {STREAMS[kind].title}
          </ChipChoice>
        ))}
      </Chips>
      {!editor && (
        <p className={look.note}>No terminal here. {editors.map(({ reason }) => reason).at(0)}</p>
      )}
      {waits && <p className={look.waiting}>A new take is being opened…</p>}
      {stream.kind === "clip" && (
        <ClipField
          clips={clips}
          chosen={stream.clip}
          disabled={disabled}
          onChoose={(clip) => begin({ ...stream, clip })}
        />
      )}
      {(stream.kind === "clip" || stream.kind === "microphone") && (
        <Field label="Coded as" small note={CODECS[stream.codec ?? "opus"].note}>
          {(id) => (
            <SelectOne
              id={id}
              slim
              disabled={disabled}
              options={CODEC_NAMES.map((name) => [name, CODECS[name].title])}
              chosen={stream.codec ?? "opus"}
              onChoose={(codec) => begin({ ...stream, codec: codec as CodecName })}
            />
          )}
        </Field>
      )}
      {stream.kind === "microphone" && (
        <MicrophoneField demo_id={state.demo_id} live={state.microphone_live} />
      )}
      {stream.kind === "terminal" && (
        <p className={look.note}>One keyboard for all lanes: click into a terminal and type.</p>
      )}
      {stream.kind === "synthetic" && (
        <Synthetic stream={stream} onItsWay={onItsWay} disabled={disabled} onWish={onWish} />
      )}
      <p className={look.note}>Another stream begins a new take: the lanes are opened afresh.</p>
    </Card>
  );
}

interface ClipFieldProps {
  readonly clips: readonly ClipOption[];
  readonly chosen: string;
  readonly disabled: boolean;
  readonly onChoose: (clip: string) => void;
}

function ClipField({ clips, chosen, disabled, onChoose }: ClipFieldProps) {
  const clip = clips.find(({ name }) => name === chosen);
  return (
    <Field label="Clip, over and over" small note={clip?.attribution}>
      {(id) => (
        <SelectOne
          id={id}
          slim
          disabled={disabled}
          options={clips.map(({ name, title }) => [name, title])}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </Field>
  );
}

interface SyntheticProps {
  readonly stream: SyntheticStream;
  readonly onItsWay: readonly Wish[];
  readonly disabled: boolean;
  readonly onWish: (wish: Wish) => void;
}

function Synthetic({ stream, onItsWay, disabled, onWish }: SyntheticProps) {
  const wanted = wantedSynthetic(stream, onItsWay);
  const set = (change: Partial<Record<keyof typeof SYNTHETIC, number>>) => {
    const { payload_bytes, iat_ms } = { ...wanted, ...change };
    onWish({ do: "set_synthetic", payload_bytes, iat_ms });
  };
  const numbers = { scales: SYNTHETIC, wanted, inForce: stream, disabled, onApply: set };
  return (["payload_bytes", "iat_ms"] as const).map((key) => (
    <QuantityOf key={key} of={key} {...numbers} />
  ));
}
