import { type EmailChangeProgress, useConfirmEmail } from "../api/queries/mail-proofs.ts";
import { LinkPage } from "./link-page.tsx";

export function ConfirmEmailForm() {
  return (
    <LinkPage
      title="Change of address"
      explanation="Confirm that the account gets its new e-mail address."
      action="Confirm the change"
      mutation={useConfirmEmail()}
      done={describe}
      refused={
        <>
          If you followed it before, it is confirmed. Otherwise ask for the change again on the{" "}
          <a href="/dashboard/settings/account">account page</a>.
        </>
      }
    />
  );
}

function describe({ waitingFor }: EmailChangeProgress): string {
  if (waitingFor.length === 0) return "The address is changed. Log in with the new one from now on.";
  const other = waitingFor.includes("new") ? "new" : "present";
  return `Confirmed. Now follow the link in the mail to the ${other} address.`;
}
