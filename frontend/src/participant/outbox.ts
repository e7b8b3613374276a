// What the server has not confirmed yet: votes, answers to questions, the sound
// check. Each is on this device's disk before it is sent, goes in the order in
// which it was given, and leaves only when the server holds it.
// SPDX-License-Identifier: Apache-2.0
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { answered, api, Problem, patience } from "../api/client";
import type { Answers, SoundCheck, VoteCast } from "../api/generated";
import { reach } from "./connection";

export type Content =
  | { readonly to: "votes"; readonly body: VoteCast }
  | { readonly to: "answers"; readonly body: Answers }
  | { readonly to: "sound-check"; readonly body: SoundCheck };

export type Letter = Content & { readonly participant_token: string };

interface Shelf extends DBSchema {
  outbox: { key: number; value: Letter };
}

let shelf: Promise<IDBPDatabase<Shelf>> | null = null;

function open(): Promise<IDBPDatabase<Shelf>> {
  shelf ??= openDB<Shelf>("thinlab", 2, {
    upgrade: (database) => {
      // The first version had votes only, and no order.
      if (database.objectStoreNames.contains("outbox")) database.deleteObjectStore("outbox");
      database.createObjectStore("outbox", { autoIncrement: true });
    },
  });
  return shelf;
}

/** Where the browser forbids storage, letters wait here, as long as the page lives. */
const inHand: Letter[] = [];

const listeners = new Set<() => void>();
let kept = 0;

/** How many letters of the participant wait on this device. */
export const keptHere = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  count: (): number => kept,
};

async function recount(participant_token: string): Promise<void> {
  kept = (await waiting(participant_token)).length;
  for (const listener of listeners) listener();
}

/** Puts a letter where a reload or a crash of the page cannot lose it. */
export async function keep(letter: Letter): Promise<void> {
  try {
    const write = (await open()).transaction("outbox", "readwrite", { durability: "strict" });
    await Promise.all([write.store.add(letter), write.done]);
  } catch {
    inHand.push(letter);
  }
  await recount(letter.participant_token);
}

interface Waiting {
  readonly letter: Letter;
  readonly discard: () => Promise<void>;
}

/** The letters of this participant that wait, oldest first. */
export async function waiting(participant_token: string): Promise<Waiting[]> {
  const found: Waiting[] = [];
  try {
    const database = await open();
    for (
      let cursor = await database.transaction("outbox").store.openCursor();
      cursor;
      cursor = await cursor.continue()
    ) {
      const { key, value } = cursor;
      found.push({ letter: value, discard: () => database.delete("outbox", key) });
    }
  } catch {
    // What is in hand is all there is.
  }
  for (const letter of inHand) {
    found.push({ letter, discard: async () => void inHand.splice(inHand.indexOf(letter), 1) });
  }
  return found.filter(({ letter }) => letter.participant_token === participant_token);
}

/** Throws away what waits for a participant who has withdrawn. */
export async function discardAll(participant_token: string): Promise<void> {
  for (const { discard } of await waiting(participant_token)) await discard().catch(() => {});
  await recount(participant_token);
}

/** Sends every waiting letter of this participant, again and again until the
 * server has answered for each. Sending twice is harmless: the keys are the same.
 * @throws Problem 401 when the server no longer knows the participant. */
export async function deliver(participant_token: string, signal?: AbortSignal): Promise<void> {
  for (const { letter, discard } of await waiting(participant_token)) {
    try {
      await reach(() => post(letter), { signal });
    } catch (error) {
      if (!isSettled(error)) throw error;
    }
    await discard().catch(() => {});
    await recount(participant_token);
  }
}

function post({ participant_token, ...content }: Letter): Promise<unknown> {
  const options = {
    headers: { Authorization: `Bearer ${participant_token}` },
    signal: patience(),
  };
  switch (content.to) {
    case "votes":
      return answered(api.POST("/api/participation/votes", { ...options, body: content.body }));
    case "answers":
      return answered(api.POST("/api/participation/answers", { ...options, body: content.body }));
    case "sound-check":
      return answered(
        api.POST("/api/participation/sound-check", { ...options, body: content.body }),
      );
  }
}

// A conflict says that there is an answer already (given in another tab, say); a
// missing trial, that the study was set up anew. Sending this once more could
// never succeed, and how to go on the server says next.
const isSettled = (error: unknown): boolean =>
  error instanceof Problem && [404, 409].includes(error.status);
