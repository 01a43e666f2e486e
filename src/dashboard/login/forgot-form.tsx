import { type SubmitEvent, useState } from "react";
import { Link } from "wouter";
import { useForgetPassword } from "../api/queries/mail-proofs.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import { Entrance } from "./entrance.tsx";
import { Outcome } from "./outcome.tsx";
import styles from "./register-page.module.css";

export function ForgotForm() {
  const forget = useForgetPassword();
  /** The form takes the focus of the button that brought it back. */
  const [isRepeated, setIsRepeated] = useState(false);
  const { fields, message } = fieldErrors(forget.error, ["email"]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!forget.isPending) forget.mutate(String(new FormData(event.currentTarget).get("email")));
  };
  const askAgain = () => {
    setIsRepeated(true);
    forget.reset();
  };
  return (
    <Entrance title="Reset your password" foot={<Link href="/login">Log in</Link>}>
      {forget.isSuccess ? (
        <Outcome>
          <p>If the address has an account, a mail with a link is on its way. The link is valid for 30 minutes.</p>
          <p>No mail? Look among the unwanted mails, and check the address.</p>
          <Button size="large" onClick={askAgain}>
            Use another address
          </Button>
        </Outcome>
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <p>We mail you a link that sets a new password.</p>
          <Field
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            autoFocus={isRepeated}
            required
            maxLength={254}
            error={fields.email}
          />
          {message !== undefined && (
            <p role="alert" className={styles.error}>
              {message}
            </p>
          )}
          <Button type="submit" tone="main" size="large" busy={forget.isPending}>
            Send the link
          </Button>
        </form>
      )}
    </Entrance>
  );
}
