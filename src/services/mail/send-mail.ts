import { toLogLine } from "../../domain/log-line.ts";
import type { Services } from "../context.ts";
import type { MailTemplate, MailValues } from "./templates/index.ts";

export interface OutgoingMail<Template extends MailTemplate> {
  readonly to: string;
  readonly template: Template;
  readonly values: MailValues<Template>;
}

export type MailSending = Pick<Services, "mails"> & { readonly config: Pick<Services["config"], "mail"> };

/**
 * Puts a mail into the queue, which retries it. It never throws, because no request should fail because of a mail. It does nothing if no
 * mail can be sent.
 */
export async function sendMail<Template extends MailTemplate>(
  { mails, config }: MailSending,
  { to, template, values }: OutgoingMail<Template>,
): Promise<void> {
  const { isSetUp, origin } = config.mail;
  if (!isSetUp) return;
  try {
    await mails.send({ type: "mail.requested", to, template, values: { ...values }, origin });
  } catch (error) {
    console.error(toLogLine("mail.not-queued", { template }, error));
  }
}
