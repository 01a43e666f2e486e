import { type MailBindings, mailWay } from "../../meter/mail-bindings.ts";
import { keepForDevelopment } from "./dev-outbox.ts";
import type { Mail } from "./mail.ts";
import { sendByBinding } from "./send-by-binding.ts";
import { sendByResend } from "./send-by-resend.ts";

/** Sends mails. It is the only way to send them. */
export interface Mailer {
  /**
   * @param id the same for each attempt to send one mail
   * @throws MailError
   */
  send(mail: Mail, id: string): Promise<void>;
}

export interface MailerBindings extends MailBindings {
  readonly MAIL_API_URL: string;
}

/** The mailer of a Worker's bindings; undefined if no mail can be sent. */
export function openMailer(bindings: MailerBindings): Mailer | undefined {
  const { EMAIL, MAIL_FROM: from, MAIL_API_URL: url, RESEND_API_KEY: key = "" } = bindings;
  switch (mailWay(bindings)) {
    case "binding":
      return EMAIL && { send: (mail) => sendByBinding(EMAIL, from, mail) };
    case "http":
      return { send: (mail, id) => sendByResend({ url, key, from }, mail, id) };
    case "dev":
      return { send: async (mail) => keepForDevelopment(mail) };
    case undefined:
      return undefined;
  }
}
