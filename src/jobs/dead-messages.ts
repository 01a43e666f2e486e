import { describeError, toLogLine } from "../domain/log-line.ts";
import type { QueueMessage, QueueName } from "../domain/queue-messages.ts";
import type { FailedLetter } from "../meter/service/dead-letters.ts";
import type { Services } from "../services/context.ts";
import type { HandledMessage } from "./handled-message.ts";
import { parseMessage } from "./parse-message.ts";

/**
 * One less than the number of deliveries in wrangler.toml (`max_retries` of the dead-letter queues, and the first delivery). The service's
 * meter keeps messages that fail this often.
 */
export const MAX_DEAD_ATTEMPTS = 18;
const MAX_REASON_LENGTH = 200;

type Context = Pick<Services, "serviceMeter" | "now">;
type Outcome = "handled" | { readonly delaySeconds: number; readonly error: unknown };

/**
 * Handles a dead-letter queue's messages like others and reports failures to the service's meter. There the operator sees them, and the
 * meter keeps messages whose last delivery fails. Messages that the operator dropped or resent are acknowledged without handling.
 */
export async function handleDead(
  queue: QueueName,
  messages: readonly Message[],
  context: Context,
  handle: (messages: readonly HandledMessage[]) => Promise<void>,
): Promise<void> {
  const meter = context.serviceMeter();
  // An unreachable meter does not stop the handling.
  const dropped = new Set(await ask("none-dropped", () => meter.droppedLetters(messages.map(({ id }) => id))));
  const outcomes = new Map<Message, Outcome>();
  await handle(messages.filter(({ id }) => !dropped.has(id)).map((message) => follow(message, outcomes)));
  const failed = messages.flatMap((message) => toFailedLetter(queue, message, outcomes.get(message), context));
  const isFailed = new Set(failed.map(({ id }) => id));
  // The meter does not know messages that succeed at their first delivery.
  const handled = messages.filter(({ id, attempts }) => !isFailed.has(id) && attempts > 1).map(({ id }) => id);
  const isNews = failed.length + handled.length > 0;
  const isKept = new Set(isNews ? await ask("none-kept", () => meter.reportLetters(failed, handled)) : []);
  for (const message of messages) {
    const outcome = outcomes.get(message);
    if (typeof outcome !== "object") message.ack();
    else if (isGivenUp(message) && isKept.has(message.id)) message.ack();
    else message.retry({ delaySeconds: outcome.delaySeconds });
    if (typeof outcome === "object" && !isKept.has(message.id))
      console.error(toLogLine("dead-letter.not-kept", { messageId: message.id, attempts: message.attempts }));
  }
}

/** @returns no ids if the meter cannot be reached */
async function ask(instead: string, call: () => Promise<string[]>): Promise<string[]> {
  try {
    return await call();
  } catch (error) {
    console.error(toLogLine("dead-letters.not-asked", { instead }, error));
    return [];
  }
}

function isGivenUp({ attempts }: Message): boolean {
  return attempts >= MAX_DEAD_ATTEMPTS;
}

/** A message that records its outcome. The queue gets the outcome after the meter has it. */
function follow(message: Message, outcomes: Map<Message, Outcome>): HandledMessage {
  const { id, timestamp, body, attempts } = message;
  return {
    id,
    timestamp,
    body,
    attempts,
    ack: () => outcomes.set(message, "handled"),
    retry: ({ delaySeconds }, error) => outcomes.set(message, { delaySeconds, error }),
  };
}

function toFailedLetter(
  queue: QueueName,
  message: Message,
  outcome: Outcome | undefined,
  { now }: Context,
): FailedLetter[] {
  const body: QueueMessage | undefined = parseMessage(message.body);
  if (typeof outcome !== "object" || body === undefined) return [];
  const { id, attempts } = message;
  const { name, message: words } = describeError(outcome.error);
  const reason = `${name}: ${words}`.slice(0, MAX_REASON_LENGTH);
  const nextAt = isGivenUp(message) ? null : now() + outcome.delaySeconds * 1000;
  return [{ id, queue, attempts, nextAt, reason, body }];
}
