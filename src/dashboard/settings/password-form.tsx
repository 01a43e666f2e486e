import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useUpdateAccount } from "../api/queries/account-changes.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { isUnconfirmed } from "../design/is-unconfirmed.ts";
import { PasswordField } from "../design/password-field.tsx";
import { Problem } from "../design/problem.tsx";
import { toast } from "../design/toast.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import styles from "./forms.module.css";
import { isWrongPassword } from "./is-wrong-password.ts";

const LEAST = 8;

/** It stays until a change is confirmed: if the password was changed, the next try is refused as wrong. */
const NO_ANSWER = new Error(
  "No answer came from the server. Log in with the new password. If it is refused, the old one is still valid.",
);

interface PasswordFormProps {
  readonly email: string;
}

/** Changes the password. It asks for the current password, so that an unattended session is not enough. */
export function PasswordForm({ email }: PasswordFormProps) {
  const update = useUpdateAccount();
  const queries = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [since, setSince] = useState("");
  const [isUncertain, setUncertain] = useState(false);
  const isWrong = isWrongPassword(update.error);
  const nextError = fieldErrors(update.error, ["password"]).fields.password;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (update.isPending) return;
    update.mutate(
      { currentPassword: current, password: next, ...(since !== "" && { revokeKeysSince: since }) },
      {
        onError: (error) => setUncertain((before) => before || isUnconfirmed(error)),
        onSuccess: () => {
          setUncertain(false);
          setCurrent("");
          setNext("");
          setSince("");
          const revoked = since === "" ? "" : ` Keys made since ${since} are revoked.`;
          toast({ title: "Password changed", description: `All other sessions have ended.${revoked}`, tone: "ok" });
          void queries.invalidateQueries({ queryKey: ["keys"] });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      {/* Password managers need the user name. */}
      <input
        className="hidden-text"
        name="username"
        autoComplete="username"
        value={email}
        readOnly
        aria-hidden
        tabIndex={-1}
      />
      <PasswordField
        label="Current password"
        name="currentPassword"
        required
        value={current}
        error={isWrong ? "Wrong password" : undefined}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordField
        label="New password"
        name="password"
        isNew
        required
        value={next}
        error={nextError}
        onChange={(event) => setNext(event.currentTarget.value)}
      />
      <Field
        label="Revoke keys made since"
        name="revokeKeysSince"
        type="date"
        max={today()}
        hint="Optional. Choose a day if someone else may have used your account."
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      {isUncertain && <Problem error={NO_ANSWER} title="The new password was not confirmed" />}
      {update.error !== null && !isWrong && nextError === undefined && !isUnconfirmed(update.error) && (
        <Problem error={update.error} title="The password could not be changed" />
      )}
      <div className={styles.actions}>
        <Button type="submit" busy={update.isPending} disabled={current === "" || next.length < LEAST}>
          Change password
        </Button>
      </div>
    </form>
  );
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
