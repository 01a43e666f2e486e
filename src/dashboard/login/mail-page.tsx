import type { UseMutationResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { type EmailChangeProgress, useConfirmEmail, useVerifyEmail } from "../api/queries/mail-proofs.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { Entrance } from "./entrance.tsx";
import { ForgotForm } from "./forgot-form.tsx";
import { isRefusedLink } from "./is-refused-link.ts";
import { linkToken } from "./link-token.ts";
import { Outcome } from "./outcome.tsx";
import styles from "./register-page.module.css";
import { ResetForm } from "./reset-form.tsx";

interface LinkPageProps<Answer> {
  readonly title: string;
  readonly explanation: string;
  readonly action: string;
  /** Called with the link's token. */
  readonly mutation: UseMutationResult<Answer, Error, string>;
  readonly done: (answer: Answer) => ReactNode;
  /** The next step for a user whose link is expired or used. */
  readonly refused: ReactNode;
}

const FORMS: Readonly<Record<string, () => ReactNode>> = {
  "/forgot": ForgotForm,
  "/reset": ResetForm,
  "/verify": VerifyForm,
};

/** The pages of mailed links, and the page that asks for one. They share a chunk, because each path costs every page some bytes. */
export default function MailPage() {
  const [path] = useLocation();
  useEffect(() => {
    // If a second link is pasted into the same tab, only the hash changes, and the page would show the first link's state.
    const reload = () => location.reload();
    addEventListener("hashchange", reload);
    return () => removeEventListener("hashchange", reload);
  }, []);
  const Form = FORMS[path] ?? ConfirmEmailForm;
  return <Form />;
}

function ConfirmEmailForm() {
  return (
    <LinkPage
      title="Change of address"
      explanation="Confirm that the account gets its new e-mail address."
      action="Confirm the change"
      mutation={useConfirmEmail()}
      done={describeProgress}
      refused={
        <>
          If you followed it before, it is confirmed. Otherwise ask for the change again on the{" "}
          <a href="/dashboard/settings/account">account page</a>.
        </>
      }
    />
  );
}

function describeProgress({ waitingFor }: EmailChangeProgress): string {
  if (waitingFor.length === 0) return "The address is changed. Log in with the new one from now on.";
  const other = waitingFor.includes("new") ? "new" : "present";
  return `Confirmed. Now follow the link in the mail to the ${other} address.`;
}

function VerifyForm() {
  return (
    <LinkPage
      title="Verify your address"
      explanation="Confirm that this e-mail address is yours."
      action="Verify the address"
      mutation={useVerifyEmail()}
      done={() => "Your address is verified. You can close this page."}
      refused={
        <>
          If you followed it before, your address is verified. Otherwise <a href="/dashboard/library">log in</a> and
          choose “Send the mail again” at the top of the page.
        </>
      }
    />
  );
}

/** A page that a mailed link opens. Only a click uses the link, because mail programs open links by themselves. */
function LinkPage<Answer>({ title, explanation, action, mutation, done, refused }: LinkPageProps<Answer>) {
  const token = linkToken();
  // A full page load, because the dashboard may show another session.
  const foot = <a href="/dashboard/library">Go to the dashboard</a>;
  return (
    <Entrance title={title} foot={foot}>
      {mutation.data !== undefined ? (
        <Outcome>
          <p>{done(mutation.data)}</p>
        </Outcome>
      ) : isRefusedLink(mutation.error) ? (
        <Outcome tone="refused">
          <strong>The link is invalid, expired or used.</strong>
          <p>{refused}</p>
        </Outcome>
      ) : token === "" ? (
        <p role="alert">This page needs the link of your mail. Open the mail and follow its link again.</p>
      ) : (
        <div className={styles.form}>
          <p>{explanation}</p>
          {mutation.error !== null && (
            <p role="alert" className={styles.error}>
              {describeError(mutation.error).message}
            </p>
          )}
          <Button tone="main" size="large" busy={mutation.isPending} onClick={() => mutation.mutate(token)}>
            {action}
          </Button>
        </div>
      )}
    </Entrance>
  );
}
