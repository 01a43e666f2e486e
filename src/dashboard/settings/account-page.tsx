import LogOut from "lucide-react/icons/log-out";
import { type SubmitEvent, useState } from "react";
import { useAccount, useLogOut } from "../api/queries/account.ts";
import { useUpdateAccount } from "../api/queries/account-changes.ts";
import { type EmailChangeProgress, useChangeEmail } from "../api/queries/mail-proofs.ts";
import { tierName } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { Field } from "../design/field.tsx";
import { formatDate } from "../design/format.ts";
import { sparePart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { toast } from "../design/toast.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import page from "../shell/page.module.css";
import { Page } from "../shell/page.tsx";
import { EraseSection } from "./erase-section.tsx";
import styles from "./forms.module.css";
import { KeyboardSection } from "./keyboard-section.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SettingsNav } from "./settings-nav.tsx";

interface NameFormProps {
  readonly name: string | null;
}

const SignInSections = sparePart(() => import("./sign-in-sections.tsx"));

export default function AccountPage() {
  const { data: account, error, refetch } = useAccount();
  const logOut = useLogOut();
  const leave = () =>
    logOut.mutate(undefined, {
      onError: (thrown) =>
        toast({ title: "Not logged out", description: describeError(thrown).message, tone: "danger" }),
    });
  return (
    <Page
      title="Account"
      isWide
      actions={
        <Button icon={LogOut} busy={logOut.isPending} onClick={leave}>
          Log out
        </Button>
      }
    >
      <SettingsNav />
      {error !== null && account === undefined && (
        <Problem error={error} title="The account could not be loaded" onRetry={() => void refetch()} />
      )}
      {account === undefined && error === null && (
        <div className={page.columns}>
          <SkeletonSection />
          <SkeletonSection />
        </div>
      )}
      {account !== undefined && (
        <div className={page.columns}>
          <div className={page.stack}>
            <Section
              title="Profile"
              description={`${account.email} · ${tierName(account.tier)} · since ${formatDate(account.createdAt)} · id ${account._id}`}
            >
              <NameForm key={account.name} name={account.name} />
            </Section>
            <Section title="E-mail" description="Your present and your new address confirm a change.">
              <EmailForm />
            </Section>
            <Section title="Password" description="A new password ends all other sessions. API keys keep working.">
              <PasswordForm email={account.email} />
            </Section>
            <KeyboardSection />
          </div>
          <div className={page.stack}>
            <SignInSections />
            <EraseSection email={account.email} />
          </div>
        </div>
      )}
    </Page>
  );
}

/** Changes the account's name. */
function NameForm({ name }: NameFormProps) {
  const update = useUpdateAccount();
  const [text, setText] = useState(name ?? "");
  const nameError = fieldErrors(update.error, ["name"]).fields.name;
  const next = text.trim() === "" ? null : text.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (update.isPending || next === name) return;
    update.mutate({ name: next }, { onSuccess: () => toast({ title: "Name saved", tone: "ok" }) });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={100}
        hint="Only you can see it. If it is empty, your e-mail is shown."
        value={text}
        error={nameError}
        onChange={(event) => setText(event.currentTarget.value)}
        after={
          <Button type="submit" busy={update.isPending} disabled={next === name}>
            Save
          </Button>
        }
      />
      {update.error !== null && nameError === undefined && (
        <Problem error={update.error} title="The name could not be saved" />
      )}
    </form>
  );
}

/** Asks for another address. */
function EmailForm() {
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
