import type { QueueMessage, QueueName } from "../../domain/queue-messages.ts";
import type { FailedLetter } from "../../meter/dead-letters.ts";
import type { Services } from "../context.ts";

/** The queue that a dead-letter queue's messages first came by. */
const FIRST: Readonly<Record<QueueName, QueueName>> = {
  ...{ uploads: "uploads", views: "views", alerts: "alerts" },
  ...{ "uploads-dead": "uploads", "views-dead": "views", "alerts-dead": "alerts" },
};

/**
 * Sends dead letters to the queues that they first came by, and takes them off the list. What a crash in between leaves on the list may
 * be sent again: nothing that is handled twice counts twice.
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

/** A view without an id of its own has its message's, which would be another one now. */
function toMessage({ id, body }: Pick<FailedLetter, "id" | "body">): QueueMessage {
  return body.type === "file.viewed" ? { ...body, viewId: body.viewId ?? id } : body;
}
