import { useVerifyEmail } from "../api/queries/mail-proofs.ts";
import { LinkPage } from "./link-page.tsx";

export function VerifyForm() {
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
