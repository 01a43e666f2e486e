import { findAccount } from "../../db/directory/accounts.ts";
import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Alert } from "../../meter/alerts/alert.ts";
import type { Services } from "../context.ts";
import type { Mailer } from "../mail/mailer.ts";
import { renderMail } from "../mail/templates/index.ts";
import { toAlertFacts } from "./alert-facts.ts";

/**
 * Sends an alert to the account's owner by mail. It is sent here and not through the queue of mails, because the
 * account's object plans the attempts and shows their outcome.
 * @throws the directory's errors
 */
export async function emailAlert(
  { directory, config }: Pick<Services, "directory" | "config">,
  mailer: Mailer | undefined,
  accountId: string,
  alert: Alert,
): Promise<DeliveryOutcome> {
  const account = await findAccount(directory, accountId);
  if (mailer === undefined || account === undefined) return { error: "email", status: null };
  const mail = renderMail("usage-alert", toAlertFacts(alert), { origin: config.mail.origin });
  try {
    await mailer.send({ to: account.email, ...mail }, alert.id);
    return { error: null, status: null };
  } catch (error) {
    console.warn(toLogLine("alert.not-mailed", { accountId }, error));
    return { error: "email", status: null };
  }
}
