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
import { DemoLink } from "../link";
import { listenerOf } from "../listener";
import { settingToldOf } from "../settings";
import type { Standing } from "../socket";
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

export class AudienceLink extends DemoLink<AudienceView, AudienceMessage, AudienceCommand> {
  constructor(code: string) {
    super(`/api/audience/${encodeURIComponent(code)}/socket`, PING, listenerOf(code), {
      standing: "opening",
      state: null,
      begun: false,
      you: null,
      voting: null,
      refused: null,
    });
  }

  listen(letter: string): void {
    this.send({ do: "listen", letter });
  }

  vote(choice: Choice): void {
    if (this.send({ do: "vote", choice })) this.change({ voting: choice });
  }

  protected stand(standing: Standing): void {
    const { you, voting } = this.shown;
    this.change({ standing });
    if (standing !== "open") return;
    this.send({ do: "hello", listener: this.listener });
    if (you) this.listen(you.letter);
    // Whether it was stored is not known; storing it twice is storing it once.
    if (voting) this.vote(voting);
  }

  protected refuse(refused: number): void {
    this.change({ refused });
  }

  protected hear(message: AudienceMessage): void {
    switch (message.type) {
      case "state":
        this.beginTake(message.take);
        this.#note(message);
        this.change({
          state: message,
          begun: this.shown.begun || hasBegun(message),
          ...(message.poll?.open ? {} : { voting: null }),
        });
        return;
      case "you":
        this.change({
          you: message,
          ...(message.voted === this.shown.voting ? { voting: null } : {}),
        });
        return;
      case "moment":
      case "event":
        this.feed.take(message);
        return;
      case "screen":
        this.write(message.letter, message);
        return;
      case "refused":
        if (message.do === "vote") this.change({ voting: null });
        return;
      case "pong":
        return;
    }
  }

  #note(state: AudienceState): void {
    const setting = settingToldOf(state);
    if (setting) this.settings.take(setting);
  }
}
