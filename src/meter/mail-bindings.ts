import { parseVerificationMode, type VerificationMode } from "../domain/mail-proofs.ts";

/** The bindings that send mail. Each of them is optional. */
export interface MailBindings {
  /** Cloudflare Email Service ("Workers API"). */
  readonly EMAIL?: SendEmail;
  /** The sender's address. */
  readonly MAIL_FROM: string;
  /** A secret of Resend, or of a service with the same API at `MAIL_API_URL`. */
  readonly RESEND_API_KEY?: string;
  /** "true": mails are printed, and shown at `GET /dev/mail`. */
  readonly MAIL_DEV: string;
}

export type MailWay = "binding" | "http" | "dev";

/** The way by which mails are sent, the first that is set up; undefined if no mail can be sent. */
export function mailWay({ EMAIL, MAIL_FROM, RESEND_API_KEY = "", MAIL_DEV }: MailBindings): MailWay | undefined {
  if (MAIL_FROM !== "" && EMAIL !== undefined) return "binding";
  if (MAIL_FROM !== "" && RESEND_API_KEY !== "") return "http";
  return MAIL_DEV === "true" ? "dev" : undefined;
}

export interface VerificationBindings extends MailBindings {
  readonly EMAIL_VERIFICATION: string;
}

/**
 * Whether addresses have to be verified. The default depends on the way by which mails are sent. Without one it is `off`, because no one
 * could verify an address.
 */
export function verificationMode(bindings: VerificationBindings): VerificationMode {
  const way = mailWay(bindings);
  if (way === undefined) return "off";
  return parseVerificationMode(bindings.EMAIL_VERIFICATION) ?? (way === "dev" ? "optional" : "required");
}

/** Whether mail can be sent. */
export function sendsMail(bindings: MailBindings): boolean {
  return mailWay(bindings) !== undefined;
}
