import type { SubmitEvent } from "react";
import { type EmailChangeProgress, useChangeEmail } from "../api/queries/mail-proofs.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import styles from "./forms.module.css";

/** Asks for another address. */
export function EmailForm() {
  const change = useChangeEmail();
  const error = fieldErrors(change.error, ["email"]).fields.email;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!change.isPending) change.mutate(String(new FormData(event.currentTarget).get("email")));
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <Field
        label="New e-mail"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        error={error}
        after={
          <Button type="submit" busy={change.isPending}>
            Change
          </Button>
        }
      />
      {change.data !== undefined && <p role="status">{describe(change.data)}</p>}
      {change.error !== null && error === undefined && (
        <Problem error={change.error} title="The address could not be changed" />
      )}
    </form>
  );
}

function describe({ waitingFor }: EmailChangeProgress): string {
  return waitingFor.includes("old")
    ? "Follow the links in the mails to your present and your new address within 24 hours."
    : "Follow the link in the mail to the new address within 24 hours.";
}
