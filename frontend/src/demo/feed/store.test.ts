import { expect, test } from "vitest";
import { PlausibleDemo } from "../../../demo-charts/plausibleDemo";
import type { Moment } from "../../api/generated";
import { FeedStore } from "./store";

const told = (until_ms: number) => {
  const demo = new PlausibleDemo([false, true], 20);
  const messages = [];
  for (let at_ms = 100; at_ms <= until_ms; at_ms += 100) messages.push(...demo.until(at_ms));
  return messages;
};

const moment = (at_ms: number, take: number, lane: Moment["lanes"][number]): Moment => ({
  type: "moment",
  at_ms,
  take,
  lanes: [lane],
});

const departure = (number: number, sent_ms: number) => ({
  number,
  forward: true,
  kind: "new" as const,
  sent_ms,
  start: number * 100,
  end: (number + 1) * 100,
});

/** One of each thing that a moment can tell. */
const everything = (at_ms: number): Moment["lanes"][number] => {
  const number = at_ms / 100;
  const passage = { written_ms: at_ms, sent_ms: at_ms, arrived_ms: at_ms, available_ms: at_ms };
  return {
    departures: [departure(number, at_ms)],
    fates: [{ number, arrived_ms: at_ms }],
    messages: [{ number, ...passage }],
    echoes: [{ number, written_ms: at_ms, shown_ms: at_ms }],
    socket: {
      ...{ at_ms, snd_cwnd: 10, in_flight: 1, rto_ms: 300, backoff: 0, rtt_ms: 130 },
      ...{ unsent_bytes: 0, snd_ssthresh: 7 },
    },
    playout: {
      ...{ buffer_ms: 60, target_ms: 125, delay_ms: 125 },
      facts: {
        ...{ played_ms: at_ms, gaps: 0, concealed_ms: 0, longest_gap_ms: 0, stretched_ms: 0 },
        ...{ compressed_ms: 0, dropped_ms: 0, delay_mean_ms: 0, delay_max_ms: 0 },
      },
      passages: [{ kind: "stretched", at_ms, length_ms: 10 }],
    },
  };
};

test("departures meet their fates", () => {
  const store = new FeedStore();
  store.take(
    moment(100, 1, { departures: [departure(1, 90), departure(2, 95), departure(3, 99)] }),
  );
  store.take(moment(200, 1, { fates: [{ number: 1, arrived_ms: 155 }, { number: 2 }] }));
  const arrivals = [1, 2, 3].map((number) => store.lanes[0]?.packet(number)?.arrived_ms);
  expect(arrivals).toEqual([155, null, undefined]);
  // A packet that came late after all.
  store.take(moment(300, 1, { fates: [{ number: 2, arrived_ms: 250 }] }));
  expect(store.lanes[0]?.packet(2)?.arrived_ms).toBe(250);
});

test("fates are found across moments that were left out", () => {
  const store = new FeedStore();
  store.take(moment(100, 1, { departures: [departure(1, 90), departure(2, 95)] }));
  store.take(moment(900, 1, { departures: [departure(40, 850), departure(41, 870)] }));
  store.take(moment(1000, 1, { fates: [{ number: 41, arrived_ms: 940 }, { number: 20 }] }));
  expect(store.lanes[0]?.packet(41)?.arrived_ms).toBe(940);
  expect(store.lanes[0]?.packet(20)).toBeUndefined();
});

test("whoever draws is told from when on things changed", () => {
  const store = new FeedStore();
  const touched: number[] = [];
  store.take(moment(100, 1, { departures: [departure(1, 90)] }));
  store.onTouched((from_ms) => touched.push(from_ms));
  store.take(moment(200, 1, {}));
  store.take(moment(300, 1, { fates: [{ number: 1 }] }));
  expect(touched).toEqual([200, 90]);
});

test("the agent's figures are kept as they came", () => {
  const store = new FeedStore();
  const messages = told(3_000);
  for (const message of messages) store.take(message);
  const last = messages.findLast((one) => one.type === "moment" && one.lanes[0]?.whole) as Moment;
  expect(store.lanes[0]?.figures?.whole).toBe(last.lanes[0]?.whole);
  expect(store.lanes[1]?.figures?.last_minute).toBe(last.lanes[1]?.last_minute);
});

test("what is told again after a lost connection changes nothing", () => {
  const [once, again] = [new FeedStore(), new FeedStore()];
  const messages = told(25_000);
  for (const message of messages) once.take(message);
  for (const message of [...messages.slice(0, 200), ...messages]) again.take(message);
  const lengths = (store: FeedStore) => [
    store.events.length,
    ...store.lanes.flatMap(({ packets, messages }) => [packets.length, messages.length]),
  ];
  expect(lengths(again)).toEqual(lengths(once));
  expect(again.events.length).toBeGreaterThan(0);
});

test("a new take begins with empty lanes", () => {
  const store = new FeedStore();
  store.take(moment(100, 1, { departures: [departure(1, 90)] }));
  store.take(moment(5_000, 2, { departures: [departure(1, 4_950)] }));
  expect(store.lanes[0]?.packets.length).toBe(1);
  expect(store.lanes[0]?.packet(1)?.sent_ms).toBe(4_950);
});

test("what is kept does not grow with the length of a demo", () => {
  const store = new FeedStore();
  const kept = () =>
    store.lanes.map(({ packets, messages, echoes, sockets, buffer, passages }) =>
      [packets, messages, echoes, sockets, buffer, passages].map(({ length }) => length),
    );
  const tellUntil = (minutes: number) => {
    for (let at_ms = store.latest_ms + 100; at_ms <= minutes * 60_000; at_ms += 100) {
      store.take(moment(at_ms, 1, everything(at_ms)));
    }
  };
  store.take(moment(100, 1, {}));
  tellUntil(10);
  const after_ten = kept();
  tellUntil(40);
  expect(kept()).toEqual(after_ten);
  expect(Math.min(...after_ten.flat())).toBeGreaterThan(1_000);
});
