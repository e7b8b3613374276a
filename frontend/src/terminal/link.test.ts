// The link against a network that loses, repeats, reorders and goes away.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { seeded } from "../../seededNumbers";
import { type Frame, Link, Overrun } from "./link";

type Side = Link<string, string>;
type Sent = Frame<string>;

const texts = (frames: readonly Sent[]) => frames.flatMap(({ messages }) => messages);

interface Weather {
  readonly loss: number;
  readonly repeated: number;
  readonly delay_ms: () => number;
}

/** Two ends and what is on the way between them, by a clock of its own. */
class Network {
  now_ms = 0;
  readonly ends: readonly [Side, Side] = [new Link(), new Link()];
  readonly got: readonly [string[], string[]] = [[], []];
  readonly #draw: () => number;
  readonly #weather: Weather;
  #onTheWay: { at_ms: number; to: 0 | 1; frame: Sent }[] = [];

  constructor(seed: number, weather: (draw: () => number) => Weather) {
    this.#draw = seeded(seed);
    this.#weather = weather(this.#draw);
  }

  /** What is on the way is lost; both ends begin with a new transport. */
  attach(transport: "lossy" | "reliable"): void {
    this.#onTheWay = [];
    for (const end of this.ends) end.attach(transport);
    this.flush();
  }

  flush(): void {
    for (const from of [0, 1] as const) {
      for (const frame of this.ends[from].frames(this.now_ms)) this.#carry(frame, from);
    }
  }

  #carry(frame: Sent, from: 0 | 1): void {
    const to = from === 0 ? 1 : 0;
    const copies = this.#draw() < this.#weather.repeated ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      if (this.#draw() < this.#weather.loss) continue;
      this.#onTheWay.push({ at_ms: this.now_ms + this.#weather.delay_ms(), to, frame });
    }
  }

  /** To the next thing that happens; false when nothing will. */
  step(): boolean {
    const next = this.#onTheWay.toSorted((one, other) => one.at_ms - other.at_ms)[0];
    const dues = this.ends.map((end) => end.dueAt_ms() ?? Number.POSITIVE_INFINITY);
    const due_ms = Math.min(...dues);
    if (!next && due_ms === Number.POSITIVE_INFINITY) return false;
    if (next && next.at_ms <= due_ms) {
      this.now_ms = Math.max(this.now_ms, next.at_ms);
      this.#onTheWay.splice(this.#onTheWay.indexOf(next), 1);
      this.got[next.to].push(...this.ends[next.to].receive(next.frame, this.now_ms));
    } else {
      this.now_ms = Math.max(this.now_ms, due_ms);
    }
    this.flush();
    return true;
  }

  settle(): void {
    for (let steps = 0; this.step(); steps++) {
      if (steps > 100_000) throw new Error("It does not come to rest.");
    }
  }
}

const storm = (draw: () => number): Weather => ({
  loss: 0.3,
  repeated: 0.2,
  delay_ms: () => 10 + 80 * draw(),
});

describe("over a network that loses 30 %, repeats 20 % and reorders", () => {
  test.each([1, 2, 3, 4, 5])("everything arrives once and in order (seed %i)", (seed) => {
    const network = new Network(seed, storm);
    network.attach("lossy");
    const sent: [string[], string[]] = [[], []];
    for (let number = 0; number < 300; number++) {
      for (const from of [0, 1] as const) {
        const message = `${from}-${number}`;
        sent[from].push(message);
        network.ends[from].send(message);
      }
      network.flush();
      network.step();
    }
    network.settle();
    expect(network.got[1]).toEqual(sent[0]);
    expect(network.got[0]).toEqual(sent[1]);
    expect(network.ends.map(({ unacknowledged }) => unacknowledged)).toEqual([0, 0]);
  });

  test.each([6, 7, 8])("nor is anything lost when transports change (seed %i)", (seed) => {
    const network = new Network(seed, storm);
    const sent: string[] = [];
    for (let number = 0; number < 200; number++) {
      if (number % 25 === 0) network.attach("lossy");
      sent.push(`${number}`);
      network.ends[0].send(`${number}`);
      network.flush();
      network.step();
    }
    network.settle();
    expect(network.got[1]).toEqual(sent);
  });
});

test("what is sent while there is no transport goes out over the next one", () => {
  const end: Side = new Link();
  end.send("a");
  expect(end.frames(0)).toEqual([]);
  end.attach("reliable");
  expect(end.frames(1)).toEqual([{ ack: 0, first: 1, messages: ["a"] }]);
  end.detach();
  end.send("b");
  expect(end.frames(2)).toEqual([]);
  end.attach("reliable");
  expect(end.frames(3)).toEqual([{ ack: 0, first: 1, messages: ["a", "b"] }]);
});

test("a new message takes along those that are not acknowledged", () => {
  const end: Side = new Link();
  end.attach("lossy");
  end.send("a");
  expect(texts(end.frames(0))).toEqual(["a"]);
  end.send("b");
  expect(texts(end.frames(1))).toEqual(["a", "b"]);
  end.receive({ ack: 1, first: 1, messages: [] }, 2);
  end.send("c");
  expect(end.frames(3)).toEqual([{ ack: 0, first: 2, messages: ["b", "c"] }]);
});

test("a bundle stays within one datagram", () => {
  const end: Side = new Link();
  end.attach("lossy");
  for (let number = 0; number < 40; number++) {
    end.send(`${number} ${"x".repeat(100)}`);
    for (const frame of end.frames(0)) {
      expect(JSON.stringify(frame.messages).length).toBeLessThanOrEqual(1_102);
      expect(frame.messages.at(-1)).toMatch(new RegExp(`^${number} `));
    }
  }
});

test("nothing is sent twice on a reliable transport", () => {
  const end: Side = new Link();
  end.attach("reliable");
  end.send("a");
  end.frames(0);
  expect(end.dueAt_ms()).toBeNull();
  end.send("b");
  expect(texts(end.frames(60_000))).toEqual(["b"]);
});

test("the oldest is repeated after one and a half round trips, and 60 ms at the least", () => {
  const end: Side = new Link();
  end.attach("lossy");
  end.send("a");
  end.frames(0);
  end.receive({ ack: 1, first: 1, messages: [] }, 100);
  expect(end.srtt_ms).toBe(100);
  end.send("b");
  end.frames(1_000);
  expect(end.dueAt_ms()).toBe(1_150);
  expect(end.frames(1_149)).toEqual([]);
  expect(texts(end.frames(1_150))).toEqual(["b"]);

  const near: Side = new Link();
  near.attach("lossy");
  near.send("a");
  near.frames(0);
  near.receive({ ack: 1, first: 1, messages: [] }, 1);
  near.send("b");
  near.frames(10);
  expect(near.dueAt_ms()).toBe(70);
});

test("what came twice is acknowledged again and not delivered again", () => {
  const end: Side = new Link();
  end.attach("lossy");
  end.frames(0);
  const frame = { ack: 0, first: 1, messages: ["a"] };
  expect(end.receive(frame, 1)).toEqual(["a"]);
  expect(end.frames(1)).toEqual([{ ack: 1, first: 1, messages: [] }]);
  expect(end.receive(frame, 2)).toEqual([]);
  expect(end.frames(2)).toEqual([{ ack: 1, first: 1, messages: [] }]);
  expect(end.frames(3)).toEqual([]);
});

test("an acknowledgement of what was never sent lets go of nothing", () => {
  const end: Side = new Link();
  end.attach("lossy");
  end.send("a");
  end.receive({ ack: 9, first: 1, messages: [] }, 0);
  expect(end.unacknowledged).toBe(1);
});

test("a link holds only so much", () => {
  const end: Side = new Link();
  const flood = () => {
    for (let number = 0; number < 5_000; number++) end.send("x");
  };
  expect(flood).toThrow(Overrun);
  expect(end.unacknowledged).toBe(2_048);
});
