import { createInterface } from "node:readline";
import { isId } from "../../domain/ids.ts";
import { parseObjectKey } from "../../domain/object-key.ts";
import type { Context } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";

/** As many as one request takes. */
const IDS_AT_ONCE = 1000;

/**
 * Reads which uploads are meant: ids or URLs, as arguments or, for `-`, a line each on standard input.
 * @returns ids, as many at a time as one request takes
 * @throws UsageError where one is neither
 */
export async function* readIds({ stdin, signal }: Context, args: readonly string[]): AsyncGenerator<string[]> {
  if (args.length === 0)
    throw new UsageError("which uploads? Name their ids or URLs, or - to read them from standard input");
  let ids: string[] = [];
  for await (const text of texts()) {
    ids.push(toId(text));
    if (ids.length < IDS_AT_ONCE) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;

  async function* texts(): AsyncGenerator<string> {
    for (const arg of args) {
      if (arg !== "-") yield arg;
      else
        for await (const line of createInterface({ input: stdin, signal })) if (line.trim() !== "") yield line.trim();
    }
  }
}

function toId(text: string): string {
  if (isId(text)) return text;
  const path = URL.canParse(text) ? new URL(text).pathname : "";
  const id = parseObjectKey(path.slice(path.indexOf("uploads/")))?.uploadId;
  if (id === undefined) throw new UsageError(`"${text}" is neither an upload's id nor its URL`);
  return id;
}
