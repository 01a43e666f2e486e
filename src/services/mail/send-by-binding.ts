import { type Mail, MailError } from "./mail.ts";

/** Codes about the address or the mail (Cloudflare Email Service, "Error codes"). The other failures may pass or be repaired. */
const PERMANENT: readonly string[] = [
  "E_VALIDATION_ERROR",
  "E_FIELD_MISSING",
  "E_RECIPIENT_NOT_ALLOWED",
  "E_RECIPIENT_SUPPRESSED",
  "E_CONTENT_TOO_LARGE",
];
const CODE = /^E_[A-Z_]{1,60}$/;

/** Sends a mail through Cloudflare's binding. @throws MailError */
export async function sendByBinding(email: SendEmail, from: string, mail: Mail): Promise<void> {
  try {
    await email.send({ from, ...mail });
  } catch (error) {
    // The error's message may contain the address, so only its code is kept.
    const code = String((error as { code?: unknown } | null)?.code);
    throw new MailError(CODE.test(code) ? code : "unknown", { isPermanent: PERMANENT.includes(code) });
  }
}
