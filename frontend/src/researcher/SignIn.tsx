// The password: set once with the token of the first start, then asked for.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, useState } from "react";
import { answered, api, patience } from "../api/client";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import { Trouble } from "../design/Failure";
import { Field, Input } from "../design/Field";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { wordsFor } from "../staff/useAct";
import styles from "./SignIn.module.css";

const SHORTEST_PASSWORD = 10;

interface SetPasswordProps {
  readonly token: string | null;
  readonly onSet: () => void;
}

export function SetPassword({ token, onSet }: SetPasswordProps) {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const { trouble, busy, submit } = useSubmit(async () => {
    if (password !== again) return "The two passwords are not the same.";
    await answered(
      api.POST("/api/researcher/password", {
        body: { setup_token: token ?? "", password },
        signal: patience(),
      }),
    );
    onSet();
    return null;
  });
  if (token === null) {
    return (
      <Sheet title="Welcome to Thinlab" tab="Set a password">
        <p>
          No password has been set yet. Open the researcher’s address exactly as it was printed when
          Thinlab started for the first time: it carries a token that proves that the server is
          yours, once and for a day. On the server, <code>thinlab access setup</code> makes another.
        </p>
      </Sheet>
    );
  }
  return (
    <Sheet title="Set the researcher’s password" tab="Set a password">
      <p>You will sign in with it from now on. It needs at least {SHORTEST_PASSWORD} characters.</p>
      <Card as="form" className={styles.slender} onSubmit={submit}>
        <AccountName />
        <PasswordField label="Password" fresh value={password} onChange={setPassword} />
        <PasswordField label="Password again" fresh value={again} onChange={setAgain} />
        <Trouble text={trouble} />
        <Row>
          <Button type="submit" disabled={busy}>
            Set password
          </Button>
        </Row>
      </Card>
    </Sheet>
  );
}

export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [password, setPassword] = useState("");
  const { trouble, busy, submit } = useSubmit(async () => {
    await answered(api.POST("/api/researcher/session", { body: { password }, signal: patience() }));
    onSignedIn();
    return null;
  });
  return (
    <Sheet title="Sign in" tab="Researcher">
      <Card as="form" className={styles.slender} onSubmit={submit}>
        <AccountName />
        <PasswordField label="Researcher’s password" value={password} onChange={setPassword} />
        <Trouble text={trouble} />
        <Row>
          <Button type="submit" disabled={busy}>
            Sign in
          </Button>
        </Row>
      </Card>
    </Sheet>
  );
}

/** There is one account; password managers want a name for it all the same. */
function AccountName() {
  return <input type="text" hidden readOnly autoComplete="username" value="researcher" />;
}

interface PasswordFieldProps {
  readonly label: string;
  readonly fresh?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PasswordField({ label, fresh = false, value, onChange }: PasswordFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <Input
          id={id}
          type="password"
          required
          minLength={fresh ? SHORTEST_PASSWORD : 1}
          autoComplete={fresh ? "new-password" : "current-password"}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** `act` returns what is wrong with the entries, or null when all went well. */
function useSubmit(act: () => Promise<string | null>) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setTrouble(null);
    act()
      .then(setTrouble, (error: unknown) => setTrouble(wordsFor(error)))
      .finally(() => setBusy(false));
  };
  return { trouble, busy, submit };
}
