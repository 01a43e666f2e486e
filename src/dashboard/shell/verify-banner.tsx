import { useQuery } from "@tanstack/react-query";
import MailWarning from "lucide-react/icons/mail-warning";
import { useEffect } from "react";
import { accountQuery } from "../api/queries/account.ts";
import { useResendVerification } from "../api/queries/mail-proofs.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatDate } from "../design/format.ts";
import { Banner } from "./banner.tsx";

/** Asks the owner to verify the address, if the service requires or wants it. */
export default function VerifyBanner() {
  // The link may have been followed in another tab or on another device.
  const { data: account, refetch } = useQuery({ ...accountQuery, refetchOnWindowFocus: "always" });
  const resend = useResendVerification();
  const mode: string | undefined = account?.emailVerification;
  // The response to a log-in does not have this field.
  const isPartial = account !== undefined && mode === undefined;
  useEffect(() => {
    if (isPartial) void refetch();
  }, [isPartial, refetch]);
  if (account === undefined || (mode !== "required" && mode !== "optional")) return null;
  return (
    <Banner icon={MailWarning} tone={mode === "required" ? "warn" : "plain"} title="Verify your e-mail address.">
      {account.verifyBy != null &&
        `You can store 50 MB until then. The account is deleted on ${formatDate(account.verifyBy)} otherwise. `}
      {resend.isSuccess ? (
        `A mail to ${account.email} is on its way.`
      ) : (
        <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
          Send the mail again
        </Button>
      )}
      {resend.error !== null && ` ${describeError(resend.error).message}`}
    </Banner>
  );
}
