import { type SubmitEvent, useState } from "react";
import type { AccountDeleted } from "../../client/index.ts";
import { useEraseAccount } from "../api/queries/account-changes.ts";
import { useOverview } from "../api/queries/overview.ts";
import { Button } from "../design/button.tsx";
import { CodeBlock } from "../design/code-block.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field } from "../design/field.tsx";
import { formatBytes, formatPlural } from "../design/format.ts";
import { PasswordField } from "../design/password-field.tsx";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import styles from "./forms.module.css";
import { isWrongPassword } from "./is-wrong-password.ts";

interface ErasedDialogProps {
  /** Null if the service's answer was lost. */
  readonly erased: AccountDeleted | null;
}

interface EraseDialogProps {
  readonly email: string;
  /** The account's data: "1,204 files, 3 GB". */
  readonly held: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface EraseSectionProps {
  readonly email: string;
}

export function EraseSection({ email }: EraseSectionProps) {
  const [open, setOpen] = useState(false);
  const overview = useOverview().data;
  const held =
    overview === undefined
      ? "Every file"
      : `${formatPlural(overview.files.total, "file")}, ${formatBytes(overview.storage.used)}`;
  return (
    <Section
      title="Erase the account"
      description="Everything is deleted permanently. Export your data first if you want to keep it."
    >
      <ul className={styles.list}>
        <li>{held}. All links to them stop working.</li>
        <li>Folders, tags, keys, alerts and the operation log.</li>
        <li>Your e-mail address. It can be used for a new account at once.</li>
      </ul>
      <div>
        <Button tone="danger" onClick={() => setOpen(true)}>
          Erase everything
        </Button>
      </div>
      <EraseDialog email={email} held={held} open={open} onOpenChange={setOpen} />
    </Section>
  );
}

/** Asks for the e-mail as a confirmation, and for the password to verify the owner. */
function EraseDialog({ email, held, open, onOpenChange }: EraseDialogProps) {
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

/** Confirms the erasure and shows the receipt's address, which works without an account. */
function ErasedDialog({ erased }: ErasedDialogProps) {
  const leave = () => location.assign("/dashboard/login");
  return (
    <Dialog
      open
      onOpenChange={leave}
      required
      title={erased?.status === "erasing" ? "Your account is being erased" : "Your account is erased"}
      description={descriptionOf(erased)}
      footer={
        <Button tone="main" onClick={leave}>
          Close
        </Button>
      }
    >
      {erased !== null && <CodeBlock code={`${location.origin}/erasures/${erased.receipt}`} label="receipt address" />}
    </Dialog>
  );
}

function descriptionOf(erased: AccountDeleted | null): string {
  if (erased === null) return "Keys and sessions are revoked. The server's answer was lost, and the receipt with it.";
  return erased.status === "erased"
    ? "Everything in your account is deleted. This address confirms it for 35 days:"
    : "Keys and sessions are revoked. Files are being deleted; follow progress at this address for 35 days:";
}
