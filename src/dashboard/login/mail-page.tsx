import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { type EmailChangeProgress, useConfirmEmail, useVerifyEmail } from "../api/queries/mail-proofs.ts";
import { ForgotForm } from "./forgot-form.tsx";
import { LinkPage } from "./link-page.tsx";
import { ResetForm } from "./reset-form.tsx";

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
