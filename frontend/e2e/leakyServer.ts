// A server between the browser and ours that was made to tell: it passes
// everything on, and changes the answers that a plant wants changed.
// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { stack } from "./stack.ts";

export interface Answer {
  status: number;
  readonly headers: Record<string, string | string[]>;
  body: Buffer;
  /** Waited for before the first byte. */
  delay_ms: number;
}

export type Plant = (path: string, answer: Answer) => void;

export class LeakyServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async with(plant: Plant): Promise<LeakyServer> {
    const server = createServer((request, response) => {
      const pass = async () => {
        const path = request.url ?? "/";
        const sent: Buffer[] = [];
        for await (const part of request) sent.push(part as Buffer);
        const answer = await ours(request.method ?? "GET", path, request.headers, sent);
        plant(path, answer);
        await new Promise((resolve) => setTimeout(resolve, answer.delay_ms));
        response.writeHead(answer.status, {
          ...answer.headers,
          "content-length": answer.body.byteLength,
        });
        response.end(answer.body);
      };
      pass().catch(() => response.destroy());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new LeakyServer(server);
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("not listening");
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

const OF_THE_WAY = ["content-encoding", "transfer-encoding", "connection", "keep-alive"];

async function ours(
  method: string,
  path: string,
  asked: IncomingHttpHeaders,
  sent: Buffer[],
): Promise<Answer> {
  const headers = new Headers();
  for (const name of ["authorization", "content-type", "accept", "accept-language"]) {
    const value = asked[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const body = sent.length > 0 ? Buffer.concat(sent) : null;
  // What a plant put behind a token, ours does not know.
  const known = path.replace(/~\w+$/, "");
  const answer = await fetch(`${stack().url}${known}`, { method, headers, body });
  // What is about the way from there to here.
  const told = [...answer.headers].filter(([name]) => !OF_THE_WAY.includes(name));
  return {
    status: answer.status,
    headers: Object.fromEntries(told),
    body: Buffer.from(await answer.arrayBuffer()),
    delay_ms: 0,
  };
}
