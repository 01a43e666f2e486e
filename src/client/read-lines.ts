import { type CallOptions, type Connection, noAnswer } from "./connection.ts";

/**
 * Iterates over an answer of JSON lines while it arrives.
 * @throws MediaHostError, with status 0 if it breaks off; the signal's reason
 */
export async function* readLines<Line>(
  connection: Connection,
  path: string,
  { signal }: CallOptions = {},
): AsyncGenerator<Line> {
  const answer = await connection.send({ method: "GET", path, signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = "";
    for (;;) {
      const piece = await reader?.read().catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw noAnswer(cause, answer.url);
      });
      if (piece === undefined || piece.done) break;
      const lines = (rest + piece.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as Line;
    }
    if (rest !== "") yield JSON.parse(rest) as Line;
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
