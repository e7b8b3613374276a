// A listener's end of a demo: what the server says, and what was asked of it. All
// that can be asked is another lane to hear, and a vote.
// SPDX-License-Identifier: Apache-2.0
import type {
  AudienceCommand,
  AudienceMessage,
  AudienceState,
  AudienceVote,
  AudienceYou,
} from "../../api/generated";
import { LiveFeed } from "../feed/feed";
import { listenerOf } from "../listener";
import { ScreenFeed } from "../screens/screenFeed";
import { Settings, settingToldOf } from "../settings";
import { Socket, type Standing } from "../socket";
import { hasBegun } from "./standingWords";

export type Choice = AudienceVote["choice"];

export interface AudienceView {
  readonly standing: Standing;
  /** null before the server has said it. */
  readonly state: AudienceState | null;
  /** Whether it has run already, as far as this page was told. */
  readonly begun: boolean;
  readonly you: AudienceYou | null;
  /** Sent, and not known to be stored. */
  readonly voting: Choice | null;
  /** By which code the server refused this page. */
  readonly refused: number | null;
}

const PING: AudienceCommand = { do: "ping", number: 0 };

export class AudienceLink {
  readonly listener: string;
  readonly feed = new LiveFeed();
  readonly screens = new ScreenFeed();
  readonly settings = new Settings();
  readonly #code: string;
  #socket: Socket<AudienceMessage, AudienceCommand> | null = null;
  readonly #told = new Set<() => void>();
  #take = 0;
  #view: AudienceView = {
    standing: "opening",
    state: null,
    begun: false,
    you: null,
    voting: null,
    refused: null,
  };

  constructor(code: string) {
    this.#code = code;
    this.listener = listenerOf(code);
  }

  open(): void {
    this.#socket = new Socket<AudienceMessage, AudienceCommand>(
      `/api/audience/${encodeURIComponent(this.#code)}/socket`,
      PING,
      {
        onMessage: (message) => this.#hear(message),
        onStanding: (standing) => this.#stand(standing),
        onRefused: (code) => this.#change({ refused: code }),
      },
    );
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  readonly subscribe = (told: () => void): (() => void) => {
    this.#told.add(told);
    return () => this.#told.delete(told);
  };

  readonly view = (): AudienceView => this.#view;

  listen(letter: string): void {
    this.#socket?.send({ do: "listen", letter });
  }

  vote(choice: Choice): void {
    if (this.#socket?.send({ do: "vote", choice })) this.#change({ voting: choice });
  }

  #stand(standing: Standing): void {
    const { you, voting } = this.#view;
    this.#change({ standing });
    if (standing !== "open") return;
    this.#socket?.send({ do: "hello", listener: this.listener });
    if (you) this.listen(you.letter);
    // Whether it was stored is not known; storing it twice is storing it once.
    if (voting) this.vote(voting);
  }

  #hear(message: AudienceMessage): void {
    switch (message.type) {
      case "state":
        this.#beginTake(message.take);
        this.#note(message);
        this.#change({
          state: message,
          begun: this.#view.begun || hasBegun(message),
          ...(message.poll?.open ? {} : { voting: null }),
        });
        return;
      case "you":
        this.#change({
          you: message,
          ...(message.voted === this.#view.voting ? { voting: null } : {}),
        });
        return;
      case "moment":
      case "event":
        this.feed.take(message);
        return;
      case "screen":
        this.#beginTake(message.take);
        if (message.from_start) this.screens.writeAll(message.letter, message.data);
        else this.screens.write(message.letter, message.data);
        return;
      case "refused":
        if (message.do === "vote") this.#change({ voting: null });
        return;
      case "pong":
        return;
    }
  }

  #note(state: AudienceState): void {
    const setting = settingToldOf(state);
    if (setting) this.settings.take(setting);
  }

  #beginTake(take: number): void {
    // A state may have been written before the newest screen was.
    if (take <= this.#take) return;
    this.#take = take;
    this.screens.clear();
  }

  #change(changes: Partial<AudienceView>): void {
    this.#view = { ...this.#view, ...changes };
    for (const told of this.#told) told();
  }
}
