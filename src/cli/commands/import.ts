import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { Connection } from "../../client/connection.ts";
import type { ImportWithItems, NewImport } from "../../client/types.ts";
import { type Call, type Context, defineCommand, type Options } from "../command-line/command.ts";
import { SomeFailed, UsageError } from "../command-line/failures.ts";
import { findFolderId } from "../library/find-folder.ts";
import { say } from "../terminal/say.ts";

/** The most of one request, in items and in characters of their URLs. */
const ITEMS_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 1_000_000;
const LOOK_EVERY_MS = 2000;

const options = {
  folder: { type: "string", short: "f", value: "FOLDER", summary: "the target folder's path or id; Root by default" },
  tag: { type: "string", short: "t", multiple: true, value: "TAG", summary: "a tag for all files; may be repeated" },
  "no-wait": { type: "boolean", summary: "write the ids of the imports, and do not wait for their end" },
} as const satisfies Options;

export const importCommand = defineCommand({
  name: "import",
  summary: "let the service fetch files from a list of URLs",
  args: "FILE|-",
  options,
  notes: [
    "FILE has one URL a line; empty lines and lines that begin with # are passed over. Writes the id of each stored upload, in the",
    "order of the list. Ctrl-C stops the waiting, and the import goes on.",
  ],
  examples: [
    ["urls.txt", "all URLs of a file"],
    ["--folder Holidays --tag beach -", "from standard input"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    const [path] = positionals;
    if (path === undefined || positionals.length > 1)
      throw new UsageError("which list? Name one file, or - for standard input");
    const { host, baseUrl, credential } = await connect();
    const connection = new Connection({ baseUrl, key: credential.secret });
    const fields = {
      ...(values.folder === undefined ? {} : { folderId: await findFolderId(host, values.folder, signal) }),
      ...(values.tag === undefined ? {} : { tags: [...values.tag] }),
    };
    let failed = 0;
    for await (const urls of readBatches(context, path)) {
      const body = { items: urls.map((url) => ({ url, ...fields })) };
      const { _id } = await connection.call<NewImport>("POST", "/images/import", { body, signal });
      if (values["no-wait"]) {
        await (values.json ? output.json({ import: _id }) : output.line(_id));
        continue;
      }
      for await (const item of outcomes(connection, _id, signal)) {
        if (values.json) await output.json(item);
        else if (item.uploadId !== null) await output.line(item.uploadId);
        if (item.state === "done") continue;
        failed += 1;
        say(context, {}, `not imported: ${item.url}: ${item.error?.error ?? item.state}`);
      }
    }
    if (failed > 0) throw new SomeFailed(`${failed} ${failed === 1 ? "file was" : "files were"} not imported`);
  },
});

/** @throws UsageError if the file cannot be read */
async function* readBatches({ stdin, signal }: Context, path: string): AsyncGenerator<string[]> {
  const input = path === "-" ? stdin : createReadStream(path);
  const opened = new Promise<never>((_, reject) => {
    input.once("error", () => reject(new UsageError(`"${path}" cannot be read`)));
  });
  opened.catch(() => undefined);
  const lines = createInterface({ input, signal })[Symbol.asyncIterator]();
  let urls: string[] = [];
  let characters = 0;
  for (;;) {
    const { value, done } = await Promise.race([lines.next(), opened]);
    if (done) break;
    const url = value.trim();
    if (url === "" || url.startsWith("#")) continue;
    urls.push(url);
    characters += url.length;
    if (urls.length < ITEMS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield urls;
    urls = [];
    characters = 0;
  }
  if (urls.length > 0) yield urls;
}

/** The items of an import after all of them have ended, in their order. */
async function* outcomes(connection: Connection, id: string, signal: AbortSignal) {
  const get = (query: object) => connection.call<ImportWithItems>("GET", `/imports/${id}`, { query, signal });
  while ((await get({ limit: 1 })).endedAt === null) await wait(LOOK_EVERY_MS, undefined, { signal });
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const page = await get({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.items;
    isLast = page.pagination.nextCursor === null;
    cursor = page.pagination.nextCursor ?? undefined;
  }
}
