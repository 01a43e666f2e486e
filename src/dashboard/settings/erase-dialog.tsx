import { type SubmitEvent, useState } from "react";
import { useEraseAccount } from "../api/queries/account-changes.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field } from "../design/field.tsx";
import { PasswordField } from "../design/password-field.tsx";
import { Problem } from "../design/problem.tsx";
import { ErasedDialog } from "./erased-dialog.tsx";
import styles from "./forms.module.css";
import { isWrongPassword } from "./is-wrong-password.ts";

interface EraseDialogProps {
  readonly email: string;
  /** The account's data: "1,204 files, 3 GB". */
  readonly held: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Asks for the e-mail as a confirmation, and for the password to verify the owner. */
export function EraseDialog({ email, held, open, onOpenChange }: EraseDialogProps) {
  const erase = useEraseAccount();
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const isMeant = typed.trim().toLowerCase() === email.toLowerCase();
  const isWrong = isWrongPassword(erase.error);
  const change = (next: boolean) => {
    setTyped("");
    setPassword("");
    erase.reset();
    onOpenChange(next);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isMeant && !erase.isPending) erase.mutate(password);
  };
  if (erase.data !== undefined) return <ErasedDialog erased={erase.data} />;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Erase your account?"
      description={`${held} and everything else in ${email}'s account is deleted permanently.`}
    >
      <form onSubmit={submit} className={styles.form}>
        <Field
          label="Type your e-mail to confirm"
          name="email"
          type="email"
          autoComplete="off"
          placeholder={email}
          required
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          required
          value={password}
          error={isWrong ? "Wrong password" : undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {erase.error !== null && !isWrong && <Problem error={erase.error} title="The account was not erased" />}
        <div className={styles.actions}>
          <Button onClick={() => change(false)}>Keep account</Button>
          <Button type="submit" tone="danger" busy={erase.isPending} disabled={!isMeant || password === ""}>
            Erase everything
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
