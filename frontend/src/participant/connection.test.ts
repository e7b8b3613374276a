// Trying again: until the server answers, and not when it refuses.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { Problem, Unreachable } from "../api/client";
import { backoff_ms, type Connection, connectionNow, reach } from "./connection";

const impatient = () => {
  const waited: number[] = [];
  const wait = async (wait_ms: number) => void waited.push(wait_ms);
  return { waited, wait };
};

function failing(times: number, error: Error): () => Promise<string> {
  let failures = 0;
  return async () => {
    if (failures++ < times) throw error;
    return "answer";
  };
}

test("an unreachable server is asked again, ever more slowly, up to a limit", async () => {
  const { waited, wait } = impatient();
  expect(await reach(failing(7, new Unreachable()), { wait })).toBe("answer");
  expect(waited).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000]);
});

test("a refusal is an answer and is not repeated", async () => {
  const { waited, wait } = impatient();
  const refusal = new Problem(409, { title: "voted" });
  await expect(reach(failing(1, refusal), { wait })).rejects.toBe(refusal);
  expect(waited).toEqual([]);
});

test("leaving the page ends the attempts", async () => {
  const leaving = new AbortController();
  const wait = async () => leaving.abort(new Error("left"));
  const attempt = reach(failing(9, new Unreachable()), { wait, signal: leaving.signal });
  await expect(attempt).rejects.toThrow("left");
});

test("the wait never passes eight seconds", () => {
  expect(backoff_ms(1)).toBe(400);
  expect(backoff_ms(50)).toBe(8_000);
});

test("a server that has too much to do is told from one that is lost", async () => {
  const busy = new Unreachable("", { said: new Problem(503, { type: "/problems/busy" }) });
  const seen: Connection[] = [];
  const wait = async () => void seen.push(connectionNow());
  const hostless = new Unreachable("", { said: new Problem(503, { type: "/problems/no-host" }) });
  await reach(failing(1, busy), { wait });
  await reach(failing(1, hostless), { wait });
  await reach(failing(1, new Unreachable()), { wait });
  expect(seen).toEqual(["busy", "no-host", "lost"]);
  expect(connectionNow()).toBe("back");
});
