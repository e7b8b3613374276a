// What an audience's link still leads to once its demo is over: the result of the
// last poll, and the replay where the presenter shares it.
// SPDX-License-Identifier: Apache-2.0

import { type ReactNode, useEffect, useState } from "react";
import { answered, api, Problem, patience } from "../../api/client";
import type { AudienceInvitation } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { Sheet } from "../../design/Sheet";
import { useSay } from "../../language/Speaking";
import { AskCode } from "./AskCode";

type Told = AudienceInvitation | "asking" | "unknown";
const AGAIN_MS = 3_000;

interface OverProps {
  readonly code: string;
  /** Whether this page was there when it ended. */
  readonly wasThere: boolean;
  readonly children?: ReactNode;
}

export function Over({ code, wasThere, children }: OverProps) {
  const say = useSay();
  const told = useInvitation(code);
  if (told === "asking" && !wasThere) {
    return (
      <Sheet title={say("loading.title")} tab={say("audience.title")}>
        <p className={look.soft} role="status">
          {say("audience.opening.text")}
        </p>
      </Sheet>
    );
  }
  if (told === "unknown" && !wasThere) {
    return (
      <Sheet title={say("audience.unknown.title")}>
        <p>{say("audience.unknown.text")}</p>
        <AskCode bare />
      </Sheet>
    );
  }
  const demo = typeof told === "object" ? told : null;
  return (
    <Sheet title={say("audience.ended.title")}>
      {demo && <p className={look.lead}>{demo.title}</p>}
      <p>{say(wasThere ? "audience.ended.text" : "audience.ended.late")}</p>
      <Row>
        {demo?.replay && (
          <ButtonLink href={`/demo/replay/${demo.replay}`}>
            {say("audience.ended.replay")}
          </ButtonLink>
        )}
        <ButtonLink quiet href="/">
          {say("nowhere.home")}
        </ButtonLink>
      </Row>
      {children}
    </Sheet>
  );
}

/** Where the code leads now; asked again until the server has said it. */
function useInvitation(code: string): Told {
  const [told, setTold] = useState<Told>("asking");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const ask = async () => {
      try {
        const params = { path: { code } };
        const said = await answered(
          api.GET("/api/audience/{code}", { params, signal: patience() }),
        );
        if (left) return;
        setTold(said);
        // It is being put away just now.
        if (!said.ended) timer = setTimeout(() => void ask(), AGAIN_MS);
      } catch (error) {
        if (left) return;
        if (error instanceof Problem) setTold("unknown");
        else timer = setTimeout(() => void ask(), AGAIN_MS);
      }
    };
    void ask();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [code]);
  return told;
}
