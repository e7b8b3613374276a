// What a console's and a listener's end of a demo have in common: one socket to the
// server, what it says of the demo's course, and a view that is told of every change.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceState, DemoState } from "../api/generated";
import { LiveFeed } from "./feed/feed";
import { type LaneKey, ScreenFeed } from "./screens/screenFeed";
import { Settings } from "./settings";
import { Socket, type Standing } from "./socket";

interface LinkView {
  readonly standing: Standing;
  /** null before the server has said it. */
  readonly state: DemoState | AudienceState | null;
}

/** What a lane's terminal shows, or what comes after it. */
interface ScreenMessage {
  readonly take: number;
  readonly from_start?: boolean;
  readonly data: string;
}

export abstract class DemoLink<View extends LinkView, Message extends { type: string }, Command> {
  readonly feed = new LiveFeed();
  readonly screens = new ScreenFeed();
  readonly settings = new Settings();
  readonly listener: string;
  protected shown: View;
  readonly #path: string;
  readonly #ping: Command;
  #socket: Socket<Message, Command> | null = null;
  readonly #told = new Set<() => void>();
  #take = 0;

  constructor(path: string, ping: Command, listener: string, shown: View) {
    this.#path = path;
    this.#ping = ping;
    this.listener = listener;
    this.shown = shown;
  }

  open(): void {
    this.#socket = new Socket<Message, Command>(this.#path, this.#ping, {
      onMessage: (message) => this.hear(message),
      onStanding: (standing) => this.stand(standing),
      onRefused: (code, reason) => this.refuse(code, reason),
    });
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  readonly subscribe = (told: () => void): (() => void) => {
    this.#told.add(told);
    return () => this.#told.delete(told);
  };

  readonly view = (): View => this.shown;

  protected abstract hear(message: Message): void;
  protected abstract stand(standing: Standing): void;
  protected abstract refuse(code: number, reason: string): void;

  /** False where it cannot be sent now. */
  protected send(command: Command): boolean {
    return this.#socket?.send(command) ?? false;
  }

  protected beginTake(take: number): void {
    // A state may have been written before the newest screen was.
    if (take <= this.#take) return;
    this.#take = take;
    this.screens.clear();
  }

  protected write(lane: LaneKey, { take, from_start, data }: ScreenMessage): void {
    this.beginTake(take);
    if (from_start) this.screens.writeAll(lane, data);
    else this.screens.write(lane, data);
  }

  protected change(changes: Partial<View>): void {
    this.shown = { ...this.shown, ...changes };
    for (const told of this.#told) told();
  }
}
