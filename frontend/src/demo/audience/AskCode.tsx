// For who came without the letters, or with one too few.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, useId, useState } from "react";

import { Button } from "../../design/Button";
import { Input } from "../../design/Field";
import { Sheet } from "../../design/Sheet";
import { useSay } from "../../language/Speaking";
import styles from "./AskCode.module.css";

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
    <form className={styles.ask} onSubmit={go}>
      <label htmlFor={id}>{say("audience.code")}</label>
      <Input
        className={styles.code}
        id={id}
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
