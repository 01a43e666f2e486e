import type { SubmitEvent } from "react";
import { Link } from "wouter";
import { useResetPassword } from "../api/queries/mail-proofs.ts";
import { Button } from "../design/button.tsx";
import { PasswordField } from "../design/password-field.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import { Entrance } from "./entrance.tsx";
import { isRefusedLink } from "./is-refused-link.ts";
import { linkToken } from "./link-token.ts";
import { Outcome } from "./outcome.tsx";
import styles from "./register-page.module.css";

export function ResetForm() {
  const token = linkToken();
  const reset = useResetPassword();
  const { fields, message } = fieldErrors(reset.error, ["password"]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    if (!reset.isPending) reset.mutate({ token, password });
  };
  return (
    <Entrance title="New password" foot={<Link href="/login">Log in</Link>}>
      {reset.isSuccess ? (
        <Outcome>
          <p>Your new password is set, and all sessions have ended. API keys keep working.</p>
          <p>
            <a href="/dashboard/login">Log in with the new password</a>
          </p>
        </Outcome>
      ) : isRefusedLink(reset.error) ? (
        <Outcome tone="refused">
          <strong>The link is invalid, expired or used.</strong>
          <p>
            If you set a password with it before, <a href="/dashboard/login">log in</a>. Otherwise{" "}
            <Link href="/forgot">ask for another link</Link>.
          </p>
        </Outcome>
      ) : token === "" ? (
        <div role="alert" className={styles.form}>
          <p>This page needs the link of your mail. Open the mail and follow its link again.</p>
          <p>
            No mail? <Link href="/forgot">Ask for another link</Link>.
          </p>
        </div>
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <PasswordField label="New password" name="password" isNew required error={fields.password} />
          {message !== undefined && (
            <p role="alert" className={styles.error}>
              {message}
            </p>
          )}
          <Button type="submit" tone="main" size="large" busy={reset.isPending}>
            Set the password
          </Button>
        </form>
      )}
    </Entrance>
  );
}
