// Every component and token of the design in each of its states, on one page. For developers and for
// examples.browser.test.tsx; no page of Thinlab loads it.
// SPDX-License-Identifier: Apache-2.0

import { type ReactNode, useState } from "react";
import { Beside } from "../Beside";
import { Button, ButtonLink } from "../Button";
import { Card } from "../Card";
import { Chip, ChipChoice, Chips } from "../Chip";
import { Dialog } from "../Dialog";
import { Empty } from "../Empty";
import { Failure, Trouble } from "../Failure";
import { Check, Field, Input, Select, TextArea } from "../Field";
import { Gallery } from "../Gallery";
import look from "../look.module.css";
import { Notice } from "../Notice";
import { Pairs } from "../Pairs";
import { Pattern } from "../Pattern";
import { Pills } from "../Pills";
import { Progress } from "../Progress";
import { Row } from "../Row";
import { Scroll } from "../Scroll";
import { Segments } from "../Segments";
import { Sheet } from "../Sheet";
import { Stack } from "../Stack";
import { Summary } from "../Summary";
import { Records } from "../Table";
import { Tag } from "../Tag";
import { Toggle } from "../Toggle";
import styles from "./Examples.module.css";
import { COLOURS, MOTIONS, SPACES, TEXTS } from "./tokens";

function Buttons() {
  return (
    <>
      <Row>
        <Button>Play</Button>
        <Button quiet>Cancel</Button>
        <Button grave>Delete my answers</Button>
        <Button disabled>Send</Button>
        <ButtonLink href="#Button">Go on</ButtonLink>
      </Row>
      <Row>
        <Button slim>Play</Button>
        <Button slim quiet>
          Cancel <kbd>Esc</kbd>
        </Button>
        <Button big>Begin</Button>
      </Row>
    </>
  );
}

function ChipsExample() {
  const [pressed, setPressed] = useState("50 ms");
  return (
    <>
      <Chips name="Delay">
        {["0 ms", "50 ms", "200 ms"].map((one) => (
          <Chip key={one} aria-pressed={one === pressed} onClick={() => setPressed(one)}>
            {one}
          </Chip>
        ))}
      </Chips>
      <Chips name="Stream">
        <ChipChoice name="stream" defaultChecked>
          Speech
        </ChipChoice>
        <ChipChoice name="stream">Terminal (SSH)</ChipChoice>
        <ChipChoice name="stream" disabled>
          Microphone
        </ChipChoice>
      </Chips>
    </>
  );
}

function DialogExample() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Row>
        <Button quiet onClick={() => setOpen(true)}>
          Withdraw
        </Button>
      </Row>
      {open && (
        <Dialog title="Withdraw this participant?" onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <p>All answers are deleted. This cannot be undone.</p>
              <Row>
                <Button grave onClick={close}>
                  Withdraw
                </Button>
                <Button quiet onClick={close}>
                  Keep
                </Button>
              </Row>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

function Fields() {
  return (
    <>
      <Field label="Name" note="Shown to nobody but you.">
        {(id) => <Input id={id} defaultValue="Ada" />}
      </Field>
      <Field label="Seed" small>
        {(id) => <Input id={id} slim inputMode="numeric" defaultValue="2008" />}
      </Field>
      <Field label="Password">
        {(id) => <Input id={id} type="password" aria-invalid defaultValue="short" />}
      </Field>
      <Field label="Baseline">
        {(id) => (
          <Select id={id}>
            <option>TCP as it is today</option>
            <option>TCP as in 2008</option>
          </Select>
        )}
      </Field>
      <Field label="Reason">{(id) => <TextArea id={id} defaultValue="Asked to." />}</Field>
      <Field label="Loss">{(id) => <input id={id} type="range" defaultValue={30} />}</Field>
      <Check>
        <input type="checkbox" defaultChecked />
        <span>I have read this and take part.</span>
      </Check>
    </>
  );
}

function SegmentsExample() {
  const [chosen, setChosen] = useState<"table" | "chart">("chart");
  return (
    <Row>
      <Segments
        name="Show as"
        options={{ chart: "Chart", table: "Table" }}
        chosen={chosen}
        onChoose={setChosen}
      />
    </Row>
  );
}

function TableExample() {
  return (
    <Records
      label="Latency by mode"
      rows={[
        { mode: "off", median_ms: 131, slow_ms: 742 },
        { mode: "all", median_ms: 131, slow_ms: 271 },
      ]}
      keyOf={({ mode }) => mode}
      columns={[
        { title: "Mode", value: ({ mode }) => mode },
        { title: "Median", value: ({ median_ms }) => `${median_ms} ms` },
        { title: "99 %", value: ({ slow_ms }) => `${slow_ms} ms` },
      ]}
    />
  );
}

function Toggles() {
  return (
    <>
      <Toggle defaultChecked>Bundling</Toggle>
      <Toggle>Linear timeouts</Toggle>
      <Toggle disabled>Early fast retransmit</Toggle>
    </>
  );
}

function Words() {
  return (
    <>
      <p className={look.lead}>What opens a page.</p>
      <p>
        What a page is read in, with <code>code</code>, a key, <kbd>K</kbd>, and{" "}
        <a href="#tokens">the way to the tokens</a>.
      </p>
      <p className={look.soft}>What matters less.</p>
      <p className={look.small}>What is smaller.</p>
      <p className={look.note}>What is both.</p>
      <p className={look.digits}>1111.11</p>
      <p className={look.waiting}>Waiting</p>
    </>
  );
}

function Tokens() {
  return (
    <>
      <Named
        names={COLOURS}
        show={(value) => <span className={styles.colour} style={{ background: value }} />}
      />
      <Named
        names={SPACES}
        show={(value) => <span className={styles.space} style={{ inlineSize: value }} />}
      />
      {TEXTS.map((name) => (
        <p key={name} className={styles.text} style={{ fontSize: `var(${name})` }}>
          {name.replace("--text-", "")}
        </p>
      ))}
      <Named
        names={MOTIONS}
        show={(value) => (
          <span className={styles.motion} style={{ transition: `background-color ${value}` }} />
        )}
      />
    </>
  );
}

interface NamedProps {
  readonly names: readonly string[];
  /** Shows a token's value. */
  readonly show: (value: string) => ReactNode;
}

function Named({ names, show }: NamedProps) {
  return (
    <ul className={styles.tokens}>
      {names.map((name) => (
        <li key={name}>
          {show(`var(${name})`)}
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}

/** By the file that an example is of; `tokens` and `look` are style sheets. */
export const EXAMPLES: Readonly<Record<string, () => ReactNode>> = {
  tokens: Tokens,
  look: Words,
  Beside: () => (
    <Beside>
      <p>What is heard.</p>
      <p>What is answered.</p>
    </Beside>
  ),
  Button: Buttons,
  Card: () => (
    <Card aria-label="A study">
      <h2>A study</h2>
      <p>What belongs together.</p>
    </Card>
  ),
  Chip: ChipsExample,
  Dialog: DialogExample,
  Empty: () => <Empty>No invitation has been made yet.</Empty>,
  Failure: () => (
    <>
      <Failure title="The lab does not answer." remedy="Start it again, then reload this page." />
      <Trouble text="This name is taken." />
      <Trouble text={null} />
    </>
  ),
  Field: Fields,
  Gallery: () => (
    <Gallery>
      {["Listening", "Typing", "Both"].map((title) => (
        <Card key={title} as="li">
          <h3>{title}</h3>
        </Card>
      ))}
    </Gallery>
  ),
  Notice: () => (
    <>
      <Notice title="A notice">What a reader must not miss.</Notice>
      <Notice tone="good">All recordings are made.</Notice>
      <Notice tone="warn">Two recordings are missing.</Notice>
      <Notice tone="bad">The disk is full.</Notice>
    </>
  ),
  Pairs: () => (
    <Pairs>
      <div>
        <dt>Baseline</dt>
        <dd>TCP as in 2008</dd>
      </div>
      <div>
        <dt>Loss</dt>
        <dd>5 % each way</dd>
      </div>
    </Pairs>
  ),
  Pattern: () => <Pattern text="https://lab.example/s/demo" alt="The link as a QR code" />,
  Pills: () => (
    <Pills>
      <li>About ten minutes</li>
      <li>12 trials</li>
    </Pills>
  ),
  Progress: () => (
    <>
      <Progress share={0.3} label="Recordings made" />
      <Progress share={0.75}>3 of 4 trials</Progress>
    </>
  ),
  Row: () => (
    <>
      <Row>
        <span>Beside</span>
        <span>each other</span>
      </Row>
      <Row spread>
        <span>One end</span>
        <span>The other</span>
      </Row>
      <Row top>
        <p>
          A long sentence, which may take more lines than one where a page is as narrow as this.
        </p>
        <Button slim quiet>
          Hide
        </Button>
      </Row>
    </>
  ),
  Scroll: () => (
    <Scroll label="Keys over time">
      <p>A drawing that is wider than a telephone.</p>
    </Scroll>
  ),
  Segments: SegmentsExample,
  Stack: () => (
    <Stack gap={2}>
      <span>One</span>
      <span>below the other</span>
    </Stack>
  ),
  Summary: () => (
    <details>
      <Summary>Keys</Summary>
      <p>Space plays and pauses.</p>
    </details>
  ),
  Table: TableExample,
  Tag: () => (
    <Row>
      <Tag>draft</Tag>
      <Tag tone="good">open</Tag>
      <Tag tone="warn">paused</Tag>
      <Tag tone="bad">failed</Tag>
    </Row>
  ),
  Toggle: Toggles,
};

export function Examples() {
  return (
    <Sheet title="Examples of the design" wide>
      {Object.entries(EXAMPLES).map(([name, Example]) => (
        <Stack as="section" gap={4} key={name} id={name} aria-labelledby={`${name}-title`}>
          <h2 id={`${name}-title`}>{name}</h2>
          <Stack data-testid={name}>
            <Example />
          </Stack>
        </Stack>
      ))}
    </Sheet>
  );
}
