import { type Connection, noAnswer, readJson, type Sending } from "./connection.ts";

/**
 * Sends a request that may be repeated, until it is answered.
 * @param withinMs the longest time of a try
 * @returns the answer's body
 * @throws MediaHostError; the signal's reason
 */
export async function sendAgain<Answer>(connection: Connection, order: Sending, withinMs?: number): Promise<Answer> {
  const retries = connection.retries(order.signal);
  for (;;) {
    const within = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
    const signals = [order.signal, within].filter((signal) => signal !== undefined);
    try {
      return await readJson<Answer>(await connection.send({ ...order, signal: AbortSignal.any(signals) }));
    } catch (thrown) {
      order.signal?.throwIfAborted();
      await retries.after(within?.aborted ? noAnswer(thrown, connection.baseUrl + order.path) : thrown);
    }
  }
}
