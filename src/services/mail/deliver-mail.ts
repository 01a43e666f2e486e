import type { MailRequested } from "../../domain/queue-messages.ts";
import type { Services } from "../context.ts";
import { MailError } from "./mail.ts";
import type { Mailer } from "./mailer.ts";
import { isMailTemplate, type MailTemplate, type MailValues, renderMail } from "./templates/index.ts";

export interface MailContext extends Pick<Services, "directory" | "now"> {
  readonly mailer: Mailer | undefined;
}

/**
 * Renders and sends the mail of a message.
 * @param id the message's
 * @throws MailError
 */
export async function deliverMail({ mailer }: MailContext, message: MailRequested, id: string): Promise<void> {
  const { to, template, values, origin } = message;
  if (!isMailTemplate(template)) throw new MailError("unknown template", { isPermanent: true });
  if (mailer === undefined) throw new MailError("no sender is set up");
  await mailer.send({ to, ...renderMail(template, values as MailValues<MailTemplate>, { origin }) }, id);
}
