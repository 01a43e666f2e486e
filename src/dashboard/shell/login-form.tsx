import { type FormEvent, type Ref, useState } from "react";
import { MediaHostError } from "../../client/media-host-error.ts";
import { useLogIn } from "../api/queries/account-changes.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { sparePart } from "../design/lazy-part.tsx";
import { PasswordField } from "../design/password-field.tsx";
import { fieldErrors } from "./field-errors.ts";
import styles from "./login-form.module.css";

const PasskeyLogIn = sparePart(() => import("./passkey-log-in.tsx"));

interface LoginFormProps {
  /** The account of the ended session. The form accepts no other, because the page shows this account's data. */
  readonly email?: string | undefined;
  readonly onDone?: () => void;
  readonly passwordRef?: Ref<HTMLInputElement>;
}

export function LoginForm({ email, onDone, passwordRef }: LoginFormProps) {
  const logIn = useLogIn();
  const { fields, message } = fieldErrors(logIn.error, ["email", "password", "code"]);
  const [needsCode, setNeedsCode] = useState(false);
  if (!needsCode && isSecondFactorWanted(logIn.error)) setNeedsCode(true);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (logIn.isPending) return;
    const form = new FormData(event.currentTarget);
    logIn.mutate(
      {
        email: String(form.get("email")),
        password: String(form.get("password")),
        ...(needsCode && { code: String(form.get("code")) }),
      },
      { onSuccess: () => onDone?.() },
    );
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={email}
        readOnly={email !== undefined}
        error={fields.email}
      />
      <PasswordField
        ref={passwordRef}
        label="Password"
        name="password"
        required
        maxLength={256}
        error={fields.password}
      />
      {needsCode && (
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoFocus
          required
          maxLength={40}
          hint="A code of your authenticator app, or a recovery code."
          error={isSecondFactorWanted(logIn.error) ? undefined : fields.code}
        />
      )}
      {message !== undefined && (
        <p role="alert" className={styles.error}>
          {message}
        </p>
      )}
      <Button type="submit" tone="main" size="large" busy={logIn.isPending}>
        Log in
      </Button>
      <PasskeyLogIn onDone={onDone} />
    </form>
  );
}

function isSecondFactorWanted(error: unknown): boolean {
  return error instanceof MediaHostError && error.code === "second_factor_required";
}
