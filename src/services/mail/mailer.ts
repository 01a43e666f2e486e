import { type MailBindings, mailWay } from "../../meter/mail-bindings.ts";
import { keepForDevelopment } from "./dev-outbox.ts";
import { type Mail, MailError } from "./mail.ts";

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
async function sendByBinding(email: SendEmail, from: string, mail: Mail): Promise<void> {
  try {
    await email.send({ from, ...mail });
  } catch (error) {
    // The error's message may contain the address, so only its code is kept.
    const code = String((error as { code?: unknown } | null)?.code);
    throw new MailError(CODE.test(code) ? code : "unknown", { isPermanent: PERMANENT.includes(code) });
  }
}

const TIMEOUT_MS = 10_000;

interface ResendConfig {
  readonly url: string;
  readonly key: string;
  readonly from: string;
}

/**
 * Sends a mail through Resend's HTTP API ("Send Email"). The API sends a mail once for each idempotency key.
 * @throws MailError
 */
async function sendByResend({ url, key, from }: ResendConfig, mail: Mail, id: string): Promise<void> {
  const status = await post(url, key, id, { ...mail, from, to: [mail.to] });
  if (status >= 200 && status < 300) return;
  // 401 and 403 are about the key or the sender's domain. The operator repairs these.
  throw new MailError(`status ${status}`, { isPermanent: status === 400 || status === 422 });
}

async function post(url: string, key: string, id: string, body: object): Promise<number> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": id },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The answer's body may be endless.
    response.body?.cancel().catch(() => {});
    return response.status;
  } catch {
    throw new MailError("no answer");
  }
}
