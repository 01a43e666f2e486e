import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { UploadStored } from "../../../src/domain/queue-messages.ts";
import worker from "../../../src/worker.ts";
import type { TestAccount, UploadResult } from "../api/api.ts";
import { type Processor, processorAt } from "./processor.ts";

/** The Worker's own queue handler, with a media processor and stores as a test wants them. */

export const UPLOADS = "media-host-uploads";
export const DEAD = "media-host-uploads-dead";

export interface Sent {
  readonly id: string;
  readonly timestamp: Date;
  readonly attempts: number;
  readonly body: unknown;
}

export interface Delivery {
  /** Ids of messages, in order. */
  readonly acked: string[];
  readonly retried: string[];
  /** Delays by id of a message to retry. */
  readonly delays: ReadonlyMap<string, number | undefined>;
}

export interface StoredVideo {
  readonly accountId: string;
  readonly uploadId: string;
  readonly objectKey: string;
}

/** An upload's answer, as the queue names the video. */
export function toVideo(account: Pick<TestAccount, "id">, upload: UploadResult): StoredVideo {
  return { accountId: account.id, uploadId: upload._id, objectKey: upload.filename };
}

export function message(body: unknown, attempts = 1): Sent {
  return { id: crypto.randomUUID(), timestamp: new Date(), attempts, body };
}

/** The message that the upload of a video has sent. */
export function stored({ accountId, uploadId, objectKey }: StoredVideo, attempts = 1): Sent {
  const body: UploadStored = { type: "upload.stored", accountId, uploadId, objectKey, mimeType: "video/mp4" };
  return message(body, attempts);
}

export interface World {
  readonly processor: Processor;
  readonly queue?: string;
  /** Bindings that replace the real ones. */
  readonly replaced?: Partial<Env>;
}

export async function deliver(
  sent: readonly Sent[],
  { processor, queue = UPLOADS, replaced }: World,
): Promise<Delivery> {
  const batch = createMessageBatch(queue, [...sent]);
  const delays = new Map<string, number | undefined>();
  for (const each of batch.messages) {
    const retry = each.retry.bind(each);
    each.retry = (options) => {
      delays.set(each.id, options?.delaySeconds);
      retry(options);
    };
  }
  await worker.queue(batch, { ...env, MEDIA_PROCESSOR: processorAt(processor), ...replaced });
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId), delays };
}

/** Delivers one message. @returns its outcome */
export async function deliverOne(sent: Sent, world: World): Promise<"acked" | "retried"> {
  const { acked, retried } = await deliver([sent], world);
  const outcomes = [...acked.map(() => "acked" as const), ...retried.map(() => "retried" as const)];
  const [outcome] = outcomes;
  if (outcome === undefined || outcomes.length > 1) throw new Error(`A message was answered ${outcomes.length} times`);
  return outcome;
}
