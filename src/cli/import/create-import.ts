import { randomUUID } from "node:crypto";
import { type Connection, noAnswer, readJson } from "../../client/connection.ts";
import { MediaHostError } from "../../client/index.ts";
import type { ImportRequest, NewImport } from "../../client/types.ts";

const ANSWER_WITHIN_MS = 60_000;

/**
 * Creates an import. If an answer is lost, the repeat gets the same import by its idempotency key.
 * @returns the import's id
 * @throws MediaHostError; the signal's reason
 */
export async function createImport(
  connection: Connection,
  items: ImportRequest["items"],
  signal: AbortSignal,
): Promise<string> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": `"${randomUUID()}"` };
  const retries = connection.retries(signal, false);
  for (;;) {
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
      const order = {
        method: "POST",
        path: "/images/import",
        headers,
        body: JSON.stringify({ items }),
        signal: within,
      };
      return (await readJson<NewImport>(await connection.send(order)))._id;
    } catch (thrown) {
      signal.throwIfAborted();
      await retries.after(thrown instanceof MediaHostError ? thrown : noAnswer(thrown, connection.baseUrl));
    }
  }
}
