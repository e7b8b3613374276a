// An address that leads nowhere, and the way back to one that does.
// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "react";
import { Sheet } from "../design/elements";
import { negotiate } from "../language/negotiate";
import { Speaking, useSay } from "../language/Speaking";
import { languages, wishes } from "../language/words";

export default function NoSuchPage() {
  const language = useMemo(() => negotiate(wishes(), languages), []);
  return (
    <Speaking language={language}>
      <Nothing />
    </Speaking>
  );
}

function Nothing() {
  const say = useSay();
  return (
    <Sheet title={say("nowhere.title")}>
      <p>{say("nowhere.text")}</p>
      <div className="row">
        <a className="button" href="/">
          {say("nowhere.home")}
        </a>
      </div>
    </Sheet>
  );
}
