import type { FormEvent } from "react";
import { useLogIn } from "../api/queries/session.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { fieldErrors } from "./field-errors.ts";
import styles from "./login-form.module.css";

interface LoginFormProps {
  /** Whose session it was: another account's would not go on with this page. */
  readonly email?: string | undefined;
  readonly onDone?: () => void;
}

/** E-mail and password. */
export function LoginForm({ email, onDone }: LoginFormProps) {
  const logIn = useLogIn();
  const { fields, message } = fieldErrors(logIn.error, ["email", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (logIn.isPending) return;
    const form = new FormData(event.currentTarget);
    logIn.mutate(
      { email: String(form.get("email")), password: String(form.get("password")) },
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
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
        error={fields.password}
      />
      {message !== undefined && (
        <p role="alert" className={styles.error}>
          {message}
        </p>
      )}
      <Button type="submit" tone="main" size="large" busy={logIn.isPending}>
        Log in
      </Button>
    </form>
  );
}
