import type { ImportDue, ModerationRequested, UploadStored } from "../../../src/domain/queue-messages.ts";
import type { Party, Scheduler } from "./scheduler.ts";

const MAX_REPEAT_DELAY_MS = 60_000;

type SimulatedBody = UploadStored | ModerationRequested | ImportDue;

/** A message that may be delivered several times. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: SimulatedBody;
  readonly timestamp: Date;
  attempts: number;
}

/**
 * The queues of stored uploads, of moderation requests and of imports. A message is delivered until it was acknowledged, and sometimes again
 * afterwards.
 */
export class QueueSimulation {
  readonly #scheduler: Scheduler;
  readonly #consume: (message: QueuedMessage) => void;
  #sent = 0;
  /** Unacknowledged messages. */
  readonly open = new Set<QueuedMessage>();

  constructor(scheduler: Scheduler, consume: (message: QueuedMessage) => void) {
    this.#scheduler = scheduler;
    this.#consume = consume;
  }

  binding(party: Party) {
    const failure = () => new Error("Queue send failed: internal error");
    const send = (bodies: readonly SimulatedBody[]) =>
      this.#scheduler.call(
        party,
        () => `queue send ${bodies.length}`,
        failure,
        () => {
          for (const body of bodies) this.#add(structuredClone(body));
        },
      );
    return {
      send: (body: SimulatedBody) => send([body]),
      sendBatch: (messages: Iterable<{ readonly body: SimulatedBody }>) =>
        send(Array.from(messages, ({ body }) => body)),
    };
  }

  ack(message: QueuedMessage): void {
    this.open.delete(message);
    const { weather } = this.#scheduler;
    if (this.#scheduler.strikes(weather.repeat))
      this.#deliver(message, Math.floor(this.#scheduler.random() * MAX_REPEAT_DELAY_MS));
  }

  retry(message: QueuedMessage, delaySeconds: number): void {
    this.#deliver(message, delaySeconds * 1000);
  }

  #add(body: SimulatedBody): void {
    const timestamp = new Date(this.#scheduler.now);
    const message: QueuedMessage = { id: `message-${++this.#sent}`, body, timestamp, attempts: 0 };
    this.open.add(message);
    this.#deliver(message, 0);
  }

  #deliver(message: QueuedMessage, delayMs: number): void {
    this.#scheduler.park({
      label: () =>
        `the queue delivers ${message.id} (${("uploadId" in message.body ? message.body.uploadId : message.body.type).slice(-4)})`,
      party: { name: "queue", isAlive: true, disturbances: 0 },
      readyAt: this.#scheduler.now + delayMs,
      deadline: Number.POSITIVE_INFINITY,
      run: () => {
        message.attempts += 1;
        this.#consume(message);
      },
    });
  }
}
