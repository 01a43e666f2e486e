import { findAccount } from "../../db/directory/accounts.ts";
import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Alert } from "../../meter/alert.ts";
import type { Services } from "../context.ts";
import { toAlertFacts } from "./alert-facts.ts";

/** What sends e-mail, and whom it is from. */
export interface Mailer {
  readonly from: string;
  readonly email: SendEmail;
}

/** Tells the account's owner by e-mail, in plain text. @throws what the directory throws */
export async function emailAlert(
  { directory }: Pick<Services, "directory">,
  mailer: Mailer | undefined,
  accountId: string,
  alert: Alert,
): Promise<DeliveryOutcome> {
  const account = await findAccount(directory, accountId);
  if (mailer === undefined || account === undefined) return { error: "email", status: null };
  const { threshold, used, limit, resetAt } = toAlertFacts(alert);
  const text = `Your account has used ${used.toLocaleString("en")} of this month's ${limit.toLocaleString("en")} operations: ${threshold} % or more.

${consequenceOf(threshold)} The count starts again at ${resetAt}.
`;
  try {
    await mailer.email.send({
      from: mailer.from,
      to: account.email,
      subject: `${threshold} % of this month's operations are used`,
      text,
    });
    return { error: null, status: null };
  } catch (error) {
    // Its message may have the address.
    console.warn(
      toLogLine("alert.not-mailed", { accountId, code: String((error as { code?: unknown } | null)?.code) }),
    );
    return { error: "email", status: null };
  }
}

function consequenceOf(threshold: number): string {
  return threshold === 100
    ? "Uploads and deletions are refused until then; files are served on."
    : "At 100 % uploads and deletions are refused; files are served on.";
}
