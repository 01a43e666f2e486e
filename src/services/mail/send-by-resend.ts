import { type Mail, MailError } from "./mail.ts";

const TIMEOUT_MS = 10_000;

export interface ResendConfig {
  readonly url: string;
  readonly key: string;
  readonly from: string;
}

/**
 * Sends a mail through Resend's HTTP API ("Send Email"). The API sends a mail once for each idempotency key.
 * @throws MailError
 */
export async function sendByResend({ url, key, from }: ResendConfig, mail: Mail, id: string): Promise<void> {
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
