import type { Connection } from "./connection.ts";
import { sendAgain } from "./send-again.ts";
import type { ImportRequest, NewImport } from "./types.ts";

const ANSWER_WITHIN_MS = 60_000;

/**
 * Creates an import. If an answer is lost, the repeat gets the same import by its idempotency key.
 * @param key identifies the request if it is repeated
 * @returns the import's id
 * @throws MediaHostError; the signal's reason
 */
export async function createImport(
  connection: Connection,
  items: ImportRequest["items"],
  key: string,
  signal?: AbortSignal,
): Promise<string> {
  const order = {
    method: "POST",
    path: "/images/import",
    headers: { "Content-Type": "application/json", "Idempotency-Key": `"${key}"` },
    body: JSON.stringify({ items }),
    signal,
  };
  return (await sendAgain<NewImport>(connection, order, ANSWER_WITHIN_MS))._id;
}
