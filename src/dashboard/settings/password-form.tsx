import { type SubmitEvent, useState } from "react";
import { useUpdateAccount } from "../api/queries/account-changes.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { toast } from "../design/toast.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import styles from "./forms.module.css";

const LEAST = 8;
const MOST = 256;
const FORBIDDEN = 403;

interface PasswordFormProps {
  readonly email: string;
}

/** The password, which is asked for again: a session that was left open must not be enough. */
export function PasswordForm({ email }: PasswordFormProps) {
  const update = useUpdateAccount();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const isWrong = (update.error as { statusCode?: number } | null)?.statusCode === FORBIDDEN;
  const nextError = fieldErrors(update.error, ["password"]).fields.password;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (update.isPending) return;
    update.mutate(
      { currentPassword: current, password: next },
      {
        onSuccess: () => {
          setCurrent("");
          setNext("");
          toast({ title: "The password is changed", description: "Every other session is over.", tone: "ok" });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      {/* Password managers need to know whose it is. */}
      <input
        className="hidden-text"
        name="username"
        autoComplete="username"
        value={email}
        readOnly
        aria-hidden
        tabIndex={-1}
      />
      <Field
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        error={isWrong ? "That is not your password" : undefined}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <Field
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={LEAST}
        maxLength={MOST}
        hint={`At least ${LEAST} characters.`}
        value={next}
        error={nextError}
        onChange={(event) => setNext(event.currentTarget.value)}
      />
      {update.error !== null && !isWrong && nextError === undefined && (
        <Problem error={update.error} title="The password was not changed" />
      )}
      <div className={styles.actions}>
        <Button type="submit" busy={update.isPending} disabled={current === "" || next.length < LEAST}>
          Change password
        </Button>
      </div>
    </form>
  );
}
