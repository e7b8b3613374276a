// For who came without the letters, or with one too few.
// SPDX-License-Identifier: Apache-2.0
import "./ask-code.css";
import { type FormEvent, useId, useState } from "react";
import { Button, Sheet } from "../../design/elements";
import { useSay } from "../../language/Speaking";

const LETTERS = 6;

export function AskCode({ bare = false }: { readonly bare?: boolean }) {
  const say = useSay();
  const [code, setCode] = useState("");
  const id = useId();
  const go = (event: FormEvent) => {
    event.preventDefault();
    location.assign(`/d/${encodeURIComponent(code.trim().toUpperCase())}`);
  };
  const form = (
    <form className="ask-code" onSubmit={go}>
      <label htmlFor={id}>{say("audience.code")}</label>
      <input
        id={id}
        className="input"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={LETTERS}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" disabled={code.trim().length < LETTERS}>
        {say("go.on")}
      </Button>
    </form>
  );
  return bare ? form : <Sheet title={say("audience.title")}>{form}</Sheet>;
}
