// What the server has not confirmed yet: votes, answers to questions, the sound
// check. Each is on this device's disk before it is sent, goes in the order in
// which it was given, and leaves only when the server holds it.
// SPDX-License-Identifier: Apache-2.0
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { answered, api, Problem, patience } from "../api/client";
import type { Answers, HearingAnswers, SoundCheck, VoteCast } from "../api/generated";
import { reach } from "./connection";

export type Content =
  | { readonly to: "votes"; readonly body: VoteCast }
  | { readonly to: "answers"; readonly body: Answers }
  | { readonly to: "hearing-answers"; readonly body: HearingAnswers }
  | { readonly to: "sound-check"; readonly body: SoundCheck };

export type Letter = Content & { readonly participant_token: string };

interface Shelf extends DBSchema {
  outbox: { key: number; value: Letter };
  /** What the server would not take, kept for whoever has to find out why. */
  refused: { key: number; value: Letter };
}

let shelf: Promise<IDBPDatabase<Shelf>> | null = null;

function open(): Promise<IDBPDatabase<Shelf>> {
  shelf ??= new Promise((resolve, reject) => {
    openDB<Shelf>("thinlab", 2, {
      upgrade: (database) => {
        // The first version had votes only, and no order.
        if (database.objectStoreNames.contains("outbox")) database.deleteObjectStore("outbox");
        database.createObjectStore("outbox", { autoIncrement: true });
        database.createObjectStore("refused", { autoIncrement: true });
      },
      // Another tab with an older page holds it: letters wait in hand meanwhile.
      blocked: () => reject(new Error("The outbox is held by another tab.")),
      // A newer page in another tab wants it.
      blocking: (_, __, event) => {
        (event.target as IDBDatabase).close();
        shelf = null;
      },
      terminated: () => {
        shelf = null;
      },
    }).then(resolve, reject);
  });
  shelf.catch(() => {
    shelf = null;
  });
  return shelf;
}

/** Where the browser forbids storage, letters wait here, as long as the page lives. */
const inHand: Letter[] = [];

const listeners = new Set<() => void>();
let kept = 0;
let refused = 0;

/** How many letters of the participant wait on this device, and how many the
 * server would not take since the page was opened. */
export const keptHere = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  count: (): number => kept,
  refused: (): number => refused,
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
    found.push({ letter, discard: async () => dropFromHand(letter) });
  }
  return found.filter(({ letter }) => letter.participant_token === participant_token);
}

function dropFromHand(letter: Letter): void {
  const place = inHand.indexOf(letter);
  if (place >= 0) inHand.splice(place, 1);
}

/** Throws away all of a participant who has withdrawn, or begins anew. */
export async function discardAll(participant_token: string): Promise<void> {
  for (const { discard } of await waiting(participant_token)) await discard().catch(() => {});
  try {
    const shelved = (await open()).transaction("refused", "readwrite");
    for (let cursor = await shelved.store.openCursor(); cursor; cursor = await cursor.continue()) {
      if (cursor.value.participant_token === participant_token) await cursor.delete();
    }
  } catch {
    // Where nothing can be stored, nothing is left.
  }
  await recount(participant_token);
}

/** Sends every waiting letter of this participant, again and again until the
 * server has answered for each. Sending twice is harmless: the keys are the same.
 * Returns those that the server would not take; they are set aside, so that
 * one letter never holds up the next.
 * @throws Problem when the server no longer knows the participant, or they have withdrawn. */
export async function deliver(participant_token: string, signal?: AbortSignal): Promise<Letter[]> {
  const refusals: Letter[] = [];
  for (const { letter, discard } of await waiting(participant_token)) {
    try {
      await reach(() => post(letter), { signal });
    } catch (error) {
      if (!(error instanceof Problem) || isAboutParticipant(error)) throw error;
      if (!isSettled(error)) {
        refusals.push(letter);
        await setAside(letter);
      }
    }
    await discard().catch(() => {});
    await recount(participant_token);
  }
  return refusals;
}

async function setAside(letter: Letter): Promise<void> {
  refused += 1;
  await open()
    .then((database) => database.add("refused", letter))
    .catch(() => {});
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
    case "hearing-answers":
      return answered(
        api.POST("/api/participation/hearing-answers", { ...options, body: content.body }),
      );
    case "sound-check":
      return answered(
        api.POST("/api/participation/sound-check", { ...options, body: content.body }),
      );
  }
}

const isAboutParticipant = ({ status }: Problem): boolean => [401, 410].includes(status);

// A conflict says that there is an answer already (given in another tab, say); a
// missing trial, that the study was set up anew. Neither is a loss, and how to
// go on the server says next.
const isSettled = ({ status }: Problem): boolean => [404, 409].includes(status);
