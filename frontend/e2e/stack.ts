// Starts the whole of Thinlab for the tests, once for each of Playwright's workers
// and each with a data folder of its own, and finds the processes that tests
// kill. With THINLAB_URL set, uses that instead.
// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { FullConfig } from "@playwright/test";

const BACKEND = resolve(import.meta.dirname, "../../backend");

/** What is started, and with which studies. */
export interface Setting {
  /** In the backend's folder. */
  readonly command: readonly string[];
  readonly studies: readonly string[];
  /** Those to wait for. */
  readonly open: readonly string[];
  /** What else is set, or set otherwise. */
  readonly environment?: Readonly<Record<string, string>>;
}

const THINLAB: Setting = {
  command: [".venv/bin/thinlab", "run"],
  /** Those that come with Thinlab, and those for tests, one of which has every form once. */
  studies: [resolve(import.meta.dirname, "../../survey"), join(import.meta.dirname, "studies")],
  /** Recorded at the start. */
  open: ["demo", "forms", "typing"],
};
/** Recording the demo study's clips on a busy machine is in it. */
const START_LIMIT_MS = 600_000;
const POLL_MS = 200;
const ANNOUNCED = /Ctrl-C stops everything/;
const NEEDED = ["THINLAB_CLIPS", "THINLAB_DIGITS", "THINLAB_PAGES", "THINLAB_TERMINAL"] as const;

export interface Stack {
  readonly url: string;
  /** For the first password; empty when the server has one. */
  readonly setup_token: string;
  /** Of a demo's presenter; empty where the server was started by others. */
  readonly present_token: string;
  /** Of `thinlab run`; null when the stack is not ours. */
  readonly pid: number | null;
}

/** This worker's stack, which the global setup started or was given. */
export function stack(): Stack {
  const told = process.env.THINLAB_E2E_STACKS;
  if (!told) throw new Error("No stack: run these tests with `pnpm e2e`.");
  const stacks = JSON.parse(told) as Stack[];
  const mine = stacks[Number(process.env.TEST_PARALLEL_INDEX ?? 0)];
  if (!mine) throw new Error("There are more workers than stacks.");
  return mine;
}

export default async function start({ workers }: FullConfig): Promise<() => Promise<void>> {
  const url = process.env.THINLAB_URL;
  if (url) {
    const setup_token = process.env.THINLAB_SETUP_TOKEN ?? "";
    const present_token = process.env.THINLAB_PRESENT_TOKEN ?? "";
    tell([{ url, setup_token, present_token, pid: null }]);
    return async () => {};
  }
  for (const name of NEEDED) {
    if (!process.env[name]) throw new Error(`${name} is not set; \`make test\` sets it.`);
  }
  const started: Started[] = [];
  const stop = async () => {
    await Promise.all(started.map((one) => one.stop()));
  };
  try {
    // The first makes the recordings, all others find them.
    started.push(await startOne());
    const others = await Promise.allSettled(
      Array.from({ length: workers - 1 }, async () => started.push(await startOne())),
    );
    for (const other of others) if (other.status === "rejected") throw other.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  tell(started.map((one) => one.stack));
  return stop;
}

export interface Started {
  readonly stack: Stack;
  readonly data: string;
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
}

export async function startOne(setting: Setting = THINLAB): Promise<Started> {
  const data = mkdtempSync(join(tmpdir(), "thinlab-e2e-"));
  // The database server may run as a user of its own.
  chmodSync(data, 0o755);
  // Beside the data, which are handed to that user, and hold nothing else.
  const survey = mkdtempSync(join(tmpdir(), "thinlab-e2e-survey-"));
  chmodSync(survey, 0o755);
  for (const folder of setting.studies) cpSync(folder, survey, { recursive: true });
  const port = await freePort();
  const [program = "", ...words] = setting.command;
  const run = spawn(join(BACKEND, program), [...words, "--port", String(port)], {
    cwd: BACKEND,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      THINLAB_DATA: data,
      THINLAB_SURVEY: survey,
      // Predicting takes longer than recording, and no test here looks at it.
      THINLAB_PREDICTIONS: "off",
      // A test's machine has other tests to run.
      THINLAB_HOST_WAIT_LIMIT_MS: "60000",
      // Most pages here are handed the first second of a recording.
      THINLAB_LISTENING: "off",
      ...setting.environment,
    },
  });
  const output = listenTo(run);
  const stop = async () => {
    if (run.exitCode === null) {
      run.kill("SIGINT");
      await once(run, "exit");
    }
    rmSync(data, { recursive: true, force: true });
    rmSync(survey, { recursive: true, force: true });
  };
  try {
    const here = { url: `http://127.0.0.1:${port}`, pid: run.pid ?? null };
    await until(
      async () => (await isReady(here.url, setting.open, run)) && ANNOUNCED.test(output.text),
      () => output.text,
    );
    const setup_token = /#setup=([\w-]+)/.exec(output.text)?.[1] ?? "";
    const present_token = /#present=([\w-]+)/.exec(output.text)?.[1] ?? "";
    const told = { data, printed: () => output.text };
    return { stack: { ...here, setup_token, present_token }, ...told, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function tell(stacks: readonly Stack[]): void {
  process.env.THINLAB_E2E_STACKS = JSON.stringify(stacks);
}

function listenTo(run: ChildProcess): { text: string } {
  const output = { text: "" };
  for (const stream of [run.stdout, run.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output.text += text;
      process.stderr.write(text);
    });
  }
  return output;
}

async function isReady(
  url: string,
  studies: readonly string[],
  run: ChildProcess,
): Promise<boolean> {
  if (run.exitCode !== null) throw new Error(`\`thinlab run\` ended with ${run.exitCode}`);
  // No more than the first that is not: the server has recordings to make meanwhile.
  for (const slug of studies) {
    const answer = await fetch(`${url}/api/studies/${slug}`).catch(() => null);
    if (!answer?.ok || ((await answer.json()) as { state: string }).state !== "open") return false;
  }
  return true;
}

/** Asks again and again, as no event tells of it. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  explain: () => string = () => "",
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It did not happen in time.\n${explain()}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Of this machine: nobody listens on it now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

/** A process's children; each of its threads has some of its own. */
export function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** The process that `thinlab run` keeps alive and whose command has `word`. */
export function keptProcess(word: string): number {
  const { pid } = stack();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const parent = /\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${entry}/status`, "utf8"))?.[1];
      const command = readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ");
      if (Number(parent) === pid && command.includes(word)) return Number(entry);
    } catch {
      // It ended while we looked.
    }
  }
  throw new Error(`\`thinlab run\` (${pid}) keeps no process with "${word}" in its command`);
}
