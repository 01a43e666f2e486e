import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, fstatSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "../../client/index.ts";
import { type Call, type Context, defineCommand, type Options } from "../command-line/command.ts";
import { SomeFailed, UsageError } from "../command-line/failures.ts";
import { wholeNumber } from "../command-line/parse.ts";
import { findFolderId } from "../library/find-folder.ts";
import { PlainProgress, TerminalProgress, type UploadDisplay } from "../terminal/upload-display.ts";
import { type FindOptions, findFiles } from "../upload/find-files.ts";
import { workInOrder } from "../upload/in-order.ts";
import { accountOf, KnownUploads } from "../upload/known-uploads.ts";
import { type LocalFile, reasonOf, type Unusable } from "../upload/local-file.ts";
import { type Outcome, toJson } from "../upload/outcome.ts";
import { FileSender } from "../upload/send-file.ts";

const CONCURRENCY = 3;
const MOST_AT_ONCE = 16;
const STDIN = "-";

const options = {
  folder: {
    type: "string",
    short: "f",
    value: "FOLDER",
    summary: "the target folder's path or id; Root by default",
  },
  tag: { type: "string", short: "t", multiple: true, value: "TAG", summary: "a tag for all files; may be repeated" },
  recursive: { type: "boolean", short: "r", summary: "include subfolders" },
  hidden: { type: "boolean", summary: "include hidden names in folders" },
  all: { type: "boolean", summary: "include files of every extension in folders" },
  name: { type: "string", value: "NAME", summary: "the file name of standard input" },
  concurrency: {
    type: "string",
    short: "c",
    value: "N",
    summary: `files at once: 1 to ${MOST_AT_ONCE}; ${CONCURRENCY} by default`,
  },
  force: { type: "boolean", summary: "send files again that were uploaded before" },
  "dry-run": { type: "boolean", short: "n", summary: "list the files without sending them" },
} as const satisfies Options;

export const uploadCommand = defineCommand({
  name: "upload",
  summary: "upload files, folders, patterns and standard input (-)",
  args: "PATH...",
  options,
  notes: [
    "Writes one URL a line, in the order of the arguments. Files that this machine uploaded before to the same folder of the same",
    "account are not sent again while their URL works. Ctrl-C keeps the bytes of a large file that arrived: the",
    "same command resumes it. Nothing is ever deleted.",
  ],
  examples: [
    ["photo.jpg", "one file"],
    ["--recursive --folder Holidays/2026 ~/Pictures", "a folder with its subfolders"],
    ["--tag beach --tag sea '*.mp4'", "all videos here, with two tags"],
    ["--name shot.png - < shot.png", "standard input"],
    ["--json -r . | jq -r 'select(.status == \"failed\").path'", "for programs"],
  ],
  async run(call: Call<typeof options>) {
    const { context, values, positionals } = call;
    const { env, signal, output } = context;
    if (positionals.length === 0) throw new UsageError("what? Name files or folders, or - for standard input");
    if (positionals.filter((path) => path === STDIN).length > 1)
      throw new UsageError("standard input can be read once");
    const concurrency = wholeNumber("concurrency", values.concurrency, 1, MOST_AT_ONCE) ?? CONCURRENCY;
    const { host, baseUrl, credential } = await call.connect();
    const folderId = values.folder === undefined ? null : await findFolderId(host, values.folder, signal);
    const known = await KnownUploads.open(env, baseUrl, credential, () => findAccount(host, signal));
    const progress = makeProgress(context, values.quiet === true);
    const sender = new FileSender({
      host,
      baseUrl,
      env,
      signal,
      known,
      folderId,
      tags: values.tag ?? [],
      isForced: values.force === true,
      isDryRun: values["dry-run"] === true,
      note: (text) => progress.note(text),
    });
    const find: FindOptions = {
      isRecursive: values.recursive === true,
      withHidden: values.hidden === true,
      withAll: values.all === true,
      onSkip: (path, reason) => progress.note(`passed over: ${path}: ${reason}`),
    };
    if (progress instanceof TerminalProgress) void countAhead(positionals, find, progress, signal);
    let failed = 0;
    try {
      await workInOrder(
        inputs(positionals, find),
        concurrency,
        async (found) => {
          const outcome = await work(found);
          progress.ended(outcome);
          return outcome;
        },
        async (outcome) => {
          if (outcome.status === "failed") failed += 1;
          progress.clear();
          if (values.json) await output.json(toJson(outcome));
          else if ("result" in outcome) await output.line(outcome.result.url);
        },
      );
    } finally {
      progress.close();
    }
    if (failed > 0) throw new SomeFailed(`${failed} ${failed === 1 ? "file was" : "files were"} not uploaded`);

    async function work(found: LocalFile | Unusable): Promise<Outcome> {
      const path = found.shownPath;
      if ("reason" in found) return { path, status: "failed", error: { error: found.reason } };
      progress.started(path, found.stats.size);
      const onProgress = ({ sentBytes }: { readonly sentBytes: number }) => progress.sent(path, sentBytes);
      if (found.path === STDIN || found.stats.isFIFO()) return sendStream(found, context, sender, values.name);
      if (found.stats.isFile()) return sender.send(found, onProgress);
      return { path, status: "failed", error: { error: "a device or socket, and no file" } };
    }
  },
});

/** The files of the arguments. Standard input is a file that can be read once. */
async function* inputs(args: readonly string[], find: FindOptions): AsyncGenerator<LocalFile | Unusable> {
  for (const arg of args) {
    if (arg !== STDIN) yield* findFiles([arg], find);
    else yield { path: STDIN, shownPath: STDIN, name: STDIN, stats: fstatSync(0) };
  }
}

/** Sends standard input or a pipe. Its bytes are stored until they are sent. */
async function sendStream(
  { path, shownPath, name }: LocalFile,
  { stdin, signal }: Context,
  sender: FileSender,
  givenName: string | undefined,
): Promise<Outcome> {
  try {
    await using spooled = await spool(path === STDIN ? stdin : createReadStream(path), signal);
    const stats = await stat(spooled.path);
    if (stats.size === 0) return { path: shownPath, status: "failed", error: { error: "there is nothing in it" } };
    const file = { path: spooled.path, shownPath, name: givenName ?? (path === STDIN ? "stdin" : name), stats };
    return await sender.send(file, () => undefined, spooled.sha256);
  } catch (error) {
    signal.throwIfAborted();
    return { path: shownPath, status: "failed", error: { error: reasonOf(error) } };
  }
}

function makeProgress({ stderr }: Context, isQuiet: boolean): UploadDisplay {
  if (stderr.isTTY && !isQuiet) return new TerminalProgress(stderr);
  return new PlainProgress((text) => stderr.write(text), isQuiet);
}

/** The total, so that people see how much is left. */
async function countAhead(
  args: readonly string[],
  find: FindOptions,
  progress: UploadDisplay,
  signal: AbortSignal,
): Promise<void> {
  const files = findFiles(
    args.filter((path) => path !== STDIN),
    { ...find, onSkip: () => undefined },
  );
  for await (const found of files) {
    if (signal.aborted) return;
    progress.found("stats" in found ? found.stats.size : 0);
  }
}

/** The account of an API key, read from the URL of any of its uploads. An upload key cannot list uploads. */
export async function findAccount(host: Client, signal: AbortSignal): Promise<string | undefined> {
  const filter = { limit: 1, status: "all", folderId: "all" } as const;
  const page = await host.imagePage(filter, { signal }).catch(() => undefined);
  const url = page?.images[0]?.url;
  return url === undefined ? undefined : accountOf(url);
}

interface Spooled extends AsyncDisposable {
  readonly path: string;
  readonly sha256: string;
}

/** Stores a stream on the disk until it is sent: its length must be known first, and it may have to be sent again. */
async function spool(stream: Readable, signal: AbortSignal): Promise<Spooled> {
  const folder = await mkdtemp(join(tmpdir(), "media-host-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, "input");
  const hash = createHash("sha256");
  try {
    await pipeline(
      stream,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          hash.update(piece);
          yield piece;
        }
      },
      createWriteStream(path, { mode: 0o600, flags: "wx" }),
      { signal },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, sha256: hash.digest("hex"), [Symbol.asyncDispose]: remove };
}
