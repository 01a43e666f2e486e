import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { Connection } from "../../client/connection.ts";
import { createImport } from "../../client/create-import.ts";
import type { ImportWithItems } from "../../client/types.ts";
import { type Call, type Context, defineCommand, type Options } from "../command-line/command.ts";
import { SomeFailed, UsageError } from "../command-line/failures.ts";
import { bucketItems } from "../import/bucket-items.ts";
import { FolderMaker } from "../import/folder-maker.ts";
import { type NamedItem, toBatches } from "../import/to-batches.ts";
import { findFolderId } from "../library/find-folder.ts";
import { Bucket } from "../s3/bucket.ts";
import { parseS3Url, readBucketOptions } from "../s3/parse-s3-url.ts";
import { say } from "../terminal/say.ts";

const LOOK_EVERY_MS = 2000;

const options = {
  folder: { type: "string", short: "f", value: "FOLDER", summary: "the target folder's path or id; Root by default" },
  tag: { type: "string", short: "t", multiple: true, value: "TAG", summary: "a tag for all files; may be repeated" },
  endpoint: { type: "string", value: "URL", summary: "the S3 endpoint of a bucket; else AWS_ENDPOINT_URL_S3" },
  all: { type: "boolean", summary: "include objects of every extension" },
  "no-wait": { type: "boolean", summary: "write the ids of the imports, and do not wait for their end" },
} as const satisfies Options;

export const importCommand = defineCommand({
  name: "import",
  summary: "let the service fetch files from a list of URLs, or from a bucket",
  args: "FILE|-|s3://BUCKET/PREFIX",
  options,
  notes: [
    "FILE has one URL a line; empty lines and lines that begin with # are passed over. Writes the id of each stored upload, in the",
    "order of the list. Ctrl-C stops the waiting, and the import continues. A URL that was imported by this command is not stored twice.",
    "A bucket's key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Its folders below PREFIX are created below FOLDER. The service",
    "fetches from URLs that are signed for a day, so the endpoint must be public. Objects that are imported already are not stored twice.",
  ],
  examples: [
    ["urls.txt", "all URLs of a file"],
    ["--folder Holidays --tag beach -", "from standard input"],
    ["--folder Archive s3://photos/2024/", "a bucket's objects below 2024, in their folders"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { env, signal, output } = context;
    const [source] = positionals;
    if (source === undefined || positionals.length > 1)
      throw new UsageError("import what? Name one file, - for standard input, or s3://BUCKET/PREFIX");
    const place = parseS3Url(source);
    if (place === undefined && (values.endpoint !== undefined || values.all))
      throw new UsageError("--endpoint and --all are for a bucket");
    const bucket = place && openBucket(place.bucket, env, values.endpoint);
    const { host, baseUrl, credential } = await connect();
    const connection = new Connection({ baseUrl, key: credential.secret });
    const folderId = values.folder === undefined ? undefined : await findFolderId(host, values.folder, signal);
    const tags = values.tag === undefined ? {} : { tags: [...values.tag] };
    let failed = 0;
    let there = 0;
    const fail = (name: string, reason: string) => {
      failed += 1;
      say(context, {}, `not imported: ${name}: ${reason}`);
    };
    const items =
      bucket === undefined
        ? readUrls(context, source)
        : bucketItems({
            bucket,
            prefix: place?.prefix ?? "",
            folders: new FolderMaker(host, folderId ?? null, signal),
            withAll: values.all === true,
            signal,
            onSkip: (key, reason) => say(context, values, `passed over: ${key}: ${reason}`),
            onFailed: fail,
          });
    for await (const batch of toBatches(items)) {
      const given = batch.map(({ item }) => ({ ...(folderId === undefined ? {} : { folderId }), ...item, ...tags }));
      const _id = await createImport(connection, given, randomUUID(), signal);
      if (values["no-wait"]) {
        await (values.json ? output.json({ import: _id }) : output.line(_id));
        continue;
      }
      for await (const item of outcomes(connection, _id, signal)) {
        const name = batch[item.number]?.name ?? item.url;
        if (values.json) await output.json({ ...item, url: name });
        else if (item.uploadId !== null) await output.line(item.uploadId);
        if (item.state === "done") continue;
        if (item.error?.code === "external_id_taken") there += 1;
        else fail(name, item.error?.error ?? item.state);
      }
    }
    if (there > 0) say(context, values, `there already: ${there}`);
    if (failed > 0) throw new SomeFailed(`${failed} ${failed === 1 ? "file was" : "files were"} not imported`);
  },
});

/** @throws UsageError if the endpoint or the key is missing */
function openBucket(name: string, env: NodeJS.ProcessEnv, endpoint: string | undefined): Bucket {
  if (endpoint !== undefined && !URL.canParse(endpoint)) throw new UsageError(`"${endpoint}" is no URL`);
  try {
    return new Bucket(readBucketOptions(name, env, endpoint));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError if the file cannot be read */
async function* readUrls({ stdin, signal }: Context, path: string): AsyncGenerator<NamedItem> {
  const input = path === "-" ? stdin : createReadStream(path);
  const opened = new Promise<never>((_, reject) => {
    input.once("error", () => reject(new UsageError(`"${path}" cannot be read`)));
  });
  opened.catch(() => undefined);
  const lines = createInterface({ input, signal })[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([lines.next(), opened]);
    if (done) return;
    const url = value.trim();
    if (url !== "" && !url.startsWith("#")) yield { name: url, item: { url, externalId: idOf(url) } };
  }
}

/** The same for each run, so that a command that is killed and repeated stores no URL twice. */
function idOf(url: string): string {
  return `url:${createHash("sha256").update(url).digest("hex")}`;
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
