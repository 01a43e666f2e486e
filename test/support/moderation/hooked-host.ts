import { env } from "cloudflare:workers";
import type { ModerationRequested } from "../../../src/domain/queue-messages.ts";
import { replaceStores } from "../api/account-state.ts";
import { BASE_URL, bearer, openAccount, type TestAccount, type TestFile, type UploadResult } from "../api/api.ts";
import { failingStore } from "../api/databases.ts";
import { callWith } from "../api/registration.ts";
import { type Delivery, deliver, message, type Sent } from "../thumbnails/queue.ts";

export const HOOK = "https://hooks.example.com/moderate";
export const HOOK_SECRET = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
export const MODERATION = "media-host-moderation";

/** A service with a moderation hook. The hook's queue is held until `deliver`. */
export class HookedHost {
  readonly queued: ModerationRequested[] = [];
  readonly vars: Record<string, unknown>;

  constructor(vars: Record<string, unknown> = {}) {
    const send = async (body: ModerationRequested) => void this.queued.push(body);
    const sendBatch = async (bodies: { body: ModerationRequested }[]) =>
      void this.queued.push(...bodies.map(({ body }) => body));
    this.vars = {
      MODERATION_URL: HOOK,
      MODERATION_SECRET: HOOK_SECRET,
      CDN_URL: BASE_URL,
      MODERATION: { send, sendBatch },
      ...vars,
    };
  }

  /** An account whose object has the service's variables. */
  async open(): Promise<TestAccount> {
    const account = await openAccount();
    await replaceStores(account.id, this.vars as Partial<Env>);
    return account;
  }

  async upload(token: string, files: readonly TestFile[]): Promise<Response> {
    const form = new FormData();
    for (const { name, bytes } of files) form.append("file", new File([bytes], name));
    const init = { method: "POST", headers: bearer(token), body: form };
    return callWith(this.vars as Record<string, string>, "/images/upload", init);
  }

  async uploadOne(token: string, file: TestFile): Promise<UploadResult> {
    const response = await this.upload(token, [file]);
    if (response.status !== 201) throw new Error(`upload answered ${response.status}`);
    return response.json();
  }

  /** Delivers the queued requests to the hook, each in a batch of its own. @returns each outcome */
  async deliver(queue = MODERATION, attempts = 1): Promise<("acked" | "retried")[]> {
    const outcomes: ("acked" | "retried")[] = [];
    for (const body of this.queued.splice(0)) outcomes.push((await this.deliverOne(body, queue, attempts)).outcome);
    return outcomes;
  }

  /** Delivers the queued requests to the hook in one batch. @returns the number of acknowledged messages */
  async deliverAll(): Promise<number> {
    const sent = this.queued.splice(0).map((body) => message(body));
    return (await this.#deliver(sent, MODERATION)).acked.length;
  }

  async deliverOne(body: unknown, queue = MODERATION, attempts = 1) {
    const sent = message(body, attempts);
    const { acked, delays } = await this.#deliver([sent], queue);
    return {
      outcome: acked.length === 1 ? ("acked" as const) : ("retried" as const),
      delaySeconds: delays.get(sent.id),
    };
  }

  #deliver(sent: readonly Sent[], queue: string): Promise<Delivery> {
    const processor = () => Promise.reject(new Error("A moderation needs no processor"));
    return deliver(sent, { processor, queue, replaced: this.vars as Partial<Env> });
  }
}

/** Bindings without a hook whose moderation queue fails. */
export const NO_HOOK = { MODERATION_URL: env.MODERATION_URL, MODERATION: failingStore<Queue>() };
