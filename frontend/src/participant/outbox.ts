// Answers that the server has not confirmed yet. An answer is on this device's
// disk before it is sent, and leaves only when the server holds it.
// SPDX-License-Identifier: Apache-2.0
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { answered, api, Problem, patience } from "../api/client";
import type { VoteCast } from "../api/generated";
import { reach } from "./connection";

export interface Letter {
  readonly vote: VoteCast;
  readonly participant_token: string;
}

interface Shelf extends DBSchema {
  outbox: { key: string; value: Letter };
}

let shelf: Promise<IDBPDatabase<Shelf>> | null = null;

function open(): Promise<IDBPDatabase<Shelf>> {
  shelf ??= openDB<Shelf>("thinlab", 1, {
    upgrade: (database) => {
      database.createObjectStore("outbox", { keyPath: "vote.vote_key" });
    },
  });
  return shelf;
}

/** Where the browser forbids storage, answers wait here, as long as the page lives. */
const inHand = new Map<string, Letter>();

/** Puts an answer where a reload or a crash of the page cannot lose it. */
export async function keep(letter: Letter): Promise<void> {
  try {
    const write = (await open()).transaction("outbox", "readwrite", { durability: "strict" });
    await Promise.all([write.store.put(letter), write.done]);
  } catch {
    inHand.set(letter.vote.vote_key, letter);
  }
}

/** The answers that wait, of this participant. */
export async function waiting(participant_token: string): Promise<Letter[]> {
  const stored = await open()
    .then((shelf) => shelf.getAll("outbox"))
    .catch(() => []);
  return [...stored, ...inHand.values()].filter(
    (letter) => letter.participant_token === participant_token,
  );
}

async function discard(vote_key: string): Promise<void> {
  inHand.delete(vote_key);
  await open()
    .then((shelf) => shelf.delete("outbox", vote_key))
    .catch(() => {});
}

/** Sends every waiting answer of this participant, again and again until the
 * server has answered for each. Sending twice is harmless: the key is the same.
 * @throws Problem 401 when the server no longer knows the participant. */
export async function deliver(participant_token: string, signal?: AbortSignal): Promise<void> {
  for (const letter of await waiting(participant_token)) {
    try {
      await reach(() => post(letter), { signal });
    } catch (error) {
      if (!isSettled(error)) throw error;
    }
    await discard(letter.vote.vote_key);
  }
}

function post({ vote, participant_token }: Letter) {
  return answered(
    api.POST("/api/participation/votes", {
      body: vote,
      headers: { Authorization: `Bearer ${participant_token}` },
      signal: patience(),
    }),
  );
}

// A conflict says that the trial holds an answer already (given in another tab,
// say); a missing trial, that the study was set up anew. Sending this answer
// again could never succeed, and how to go on the server says next.
const isSettled = (error: unknown): boolean =>
  error instanceof Problem && [404, 409, 410].includes(error.status);
