import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

/** A mail as Cloudflare's binding gets it. */
export interface SentMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Bindings that send mail into `sent`. */
export class MailSender {
  readonly sent: SentMail[] = [];
  /** Thrown instead of sending. */
  failure: Error | undefined;

  get bindings() {
    const send = async (mail: SentMail) => {
      if (this.failure !== undefined) throw this.failure;
      this.sent.push(mail);
      return { messageId: "1" };
    };
    return { EMAIL: { send } as unknown as SendEmail, MAIL_FROM: "host@media.example" };
  }
}

/** Delivers one message to the Worker's queue handler. */
export async function deliverMessage(
  body: unknown,
  replaced: Record<string, unknown> = {},
  { queue = "media-host-mails", id = crypto.randomUUID(), attempts = 1 } = {},
): Promise<"acked" | "retried"> {
  const batch = createMessageBatch(queue, [{ id, timestamp: new Date(), attempts, body }]);
  await worker.queue(batch, { ...env, ...replaced } as Env);
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return explicitAcks.length === 1 ? "acked" : "retried";
}
