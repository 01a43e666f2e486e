import type { QueueMessage, QueueName } from "../../domain/queue-messages.ts";
import type { DeadLetter, FailedLetter } from "../../meter/service/dead-letters.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

/** Messages that the dead-letter queues failed to deliver, oldest first. */
export async function listDeadLetters(
  services: Pick<Services, "serviceMeter" | "config">,
  query: PageQuery,
): Promise<Page<DeadLetter>> {
  return readPage(services, query, {
    list: { name: "listDeadLetters" },
    read: async (after: [number: number] | undefined, limit): Promise<DeadLetter[]> =>
      services.serviceMeter().listLetters(after?.[0] ?? 0, limit),
    positionOf: ({ number }) => [number],
  });
}

/** The original queue of a dead-letter queue's messages. */
const FIRST: Readonly<Record<QueueName, QueueName>> = {
  uploads: "uploads",
  views: "views",
  alerts: "alerts",
  mails: "mails",
  moderation: "moderation",
  imports: "imports",
  "uploads-dead": "uploads",
  "views-dead": "views",
  "alerts-dead": "alerts",
  "mails-dead": "mails",
  "moderation-dead": "moderation",
  "imports-dead": "imports",
};

/**
 * Sends dead letters to their original queues, and removes them from the list. After a crash in between a message may
 * be sent again: duplicates count once.
 * @returns how many were sent
 */
export async function resendDeadLetters(
  { serviceMeter, queues }: Pick<Services, "serviceMeter" | "queues">,
  ids: readonly string[],
): Promise<number> {
  const letters = await serviceMeter().readLetters(ids);
  for (const letter of letters) {
    await queues[FIRST[letter.queue]].send(toMessage(letter), { contentType: "v8" });
  }
  await serviceMeter().dropLetters(letters.map(({ id }) => id));
  return letters.length;
}

/** A view without an id is identified by its message's id, which changes when the message is sent again. */
function toMessage({ id, body }: Pick<FailedLetter, "id" | "body">): QueueMessage {
  return body.type === "file.viewed" ? { ...body, viewId: body.viewId ?? id } : body;
}

/**
 * Removes dead letters from the list permanently. Copies that a queue still has are acknowledged on delivery.
 * @returns how many there were
 */
export async function dropDeadLetters(
  { serviceMeter }: Pick<Services, "serviceMeter">,
  ids: readonly string[],
): Promise<number> {
  return serviceMeter().dropLetters(ids);
}
