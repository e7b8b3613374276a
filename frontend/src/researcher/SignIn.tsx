// The password: set once with the token of the first start, then asked for.
// SPDX-License-Identifier: Apache-2.0

import { type FormEvent, type ReactNode, useState } from "react";
import { answered, api, patience } from "../api/client";
import { Card } from "../design/Card";
import { Field, Input } from "../design/Field";
import { Sheet } from "../design/Sheet";
import { Submit } from "../staff/Submit";
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
  const set = async () => {
    if (password !== again) return "The two passwords are not the same.";
    await answered(
      api.POST("/api/researcher/password", {
        body: { setup_token: token ?? "", password },
        signal: patience(),
      }),
    );
    onSet();
    return null;
  };
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
      <PasswordForm confirm="Set password" act={set}>
        <PasswordField label="Password" fresh value={password} onChange={setPassword} />
        <PasswordField label="Password again" fresh value={again} onChange={setAgain} />
      </PasswordForm>
    </Sheet>
  );
}

export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [password, setPassword] = useState("");
  const signIn = async () => {
    await answered(api.POST("/api/researcher/session", { body: { password }, signal: patience() }));
    onSignedIn();
    return null;
  };
  return (
    <Sheet title="Sign in" tab="Researcher">
      <PasswordForm confirm="Sign in" act={signIn}>
        <PasswordField label="Researcher’s password" value={password} onChange={setPassword} />
      </PasswordForm>
    </Sheet>
  );
}

interface PasswordFormProps {
  readonly confirm: string;
  /** Returns what is wrong with the entries, or null when all went well. */
  readonly act: () => Promise<string | null>;
  readonly children: ReactNode;
}

function PasswordForm({ confirm, act, children }: PasswordFormProps) {
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
  return (
    <Card as="form" className={styles.slender} onSubmit={submit}>
      {/* There is one account; password managers want a name for it all the same. */}
      <input type="text" hidden readOnly autoComplete="username" value="researcher" />
      {children}
      <Submit busy={busy} trouble={trouble}>
        {confirm}
      </Submit>
    </Card>
  );
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
