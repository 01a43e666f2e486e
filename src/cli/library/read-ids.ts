import { createInterface } from "node:readline";
import { isId } from "../../domain/ids.ts";
import { parseObjectKey } from "../../domain/object-key.ts";
import type { Context } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";

/** The maximum of one request. */
const IDS_AT_ONCE = 1000;

/**
 * Reads ids or URLs of uploads from the arguments, or for `-` from the lines of standard input.
 * @returns batches of ids, each within the limit of one request
 * @throws UsageError for a text that is neither
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

/** @returns the id that a text is, or the id in a file's URL; undefined if it is neither */
export function findId(text: string): string | undefined {
  if (isId(text)) return text;
  const path = URL.canParse(text) ? new URL(text).pathname : "";
  return parseObjectKey(path.slice(path.indexOf("uploads/")))?.uploadId;
}

function toId(text: string): string {
  const id = findId(text);
  if (id === undefined) throw new UsageError(`"${text}" is neither an upload's id nor its URL`);
  return id;
}
