import { stat } from "node:fs/promises";
import { isId } from "../../domain/ids.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { SomeFailed, UsageError } from "../command-line/failures.ts";
import { wholeNumber } from "../command-line/parse.ts";
import { folderPaths, ROOT } from "../library/find-folder.ts";
import { type SyncEvent, sync } from "../sync/sync.ts";
import { printable } from "../terminal/printable.ts";
import { say } from "../terminal/say.ts";
import { KnownUploads } from "../upload/known-uploads.ts";
import { findAccount } from "./upload.ts";

const CONCURRENCY = 3;
const MOST_AT_ONCE = 16;

const options = {
  delete: { type: "boolean", summary: "move files that are not in LOCAL to the trash" },
  "dry-run": { type: "boolean", short: "n", summary: "print the plan and change nothing" },
  hidden: { type: "boolean", summary: "include hidden names" },
  all: { type: "boolean", summary: "include files of every extension" },
  concurrency: {
    type: "string",
    short: "c",
    value: "N",
    summary: `files at once: 1 to ${MOST_AT_ONCE}; ${CONCURRENCY} by default`,
  },
} as const satisfies Options;

const DONE: Record<SyncEvent["status"], string> = {
  folder: "folder created",
  uploaded: "uploaded",
  replaced: "replaced",
  trashed: "moved to the trash",
  "only-there": "only on the service",
  failed: "failed",
};
const PLANNED: Record<SyncEvent["status"], string> = {
  ...DONE,
  folder: "folder would be created",
  uploaded: "would be uploaded",
  replaced: "would be replaced",
  trashed: "would be moved to the trash",
};

export const syncCommand = defineCommand({
  name: "sync",
  summary: "upload new and changed files of a directory and its subdirectories",
  args: "LOCAL FOLDER",
  options,
  notes: [
    "One way: nothing changes on the disk. Directories become folders, which are created. Links are passed over. A changed file is",
    "uploaded, and the upload it replaces moves to the trash. Other files of FOLDER stay unless --delete is given; folders always stay.",
    "An interrupted run is continued by the same command.",
  ],
  examples: [
    ["~/Pictures Pictures", "new and changed pictures"],
    ["--delete --dry-run ~/Pictures Pictures", "what would be sent and trashed"],
    ["~/Pictures root", "into Root"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const [local, folder, ...rest] = positionals;
    if (local === undefined || folder === undefined || rest.length > 0) throw new UsageError("sync LOCAL FOLDER");
    const stats = await stat(local).catch((error: Error) => {
      throw new UsageError(`${local}: ${error.message}`);
    });
    if (!stats.isDirectory()) throw new UsageError(`${local} is no directory`);
    const { env, signal, output, stderr } = context;
    const concurrency = wholeNumber("concurrency", values.concurrency, 1, MOST_AT_ONCE) ?? CONCURRENCY;
    const { host, baseUrl, credential } = await connect();
    const target = await toPath();
    const known = await KnownUploads.open(env, baseUrl, credential, () => findAccount(host, signal));
    const isDryRun = values["dry-run"] === true;
    const note = (text: string) => say(context, values, text);
    const result = await sync({
      host,
      baseUrl,
      env,
      signal,
      local,
      target,
      known,
      concurrency,
      note,
      isDryRun,
      isDeleting: values.delete === true,
      withHidden: values.hidden === true,
      withAll: values.all === true,
      onSkip: (path, reason) => note(`passed over: ${path}: ${reason}`),
      async onEvent(event) {
        if (values.json) return output.json(isDryRun ? { ...event, isPlanned: true } : event);
        const text = `${(isDryRun ? PLANNED : DONE)[event.status]}: ${event.path}${event.error ? `: ${event.error}` : ""}`;
        if (isDryRun && event.status !== "failed") return output.line(printable(text));
        if (event.status === "failed" || !values.quiet) stderr.write(`${printable(text)}\n`);
      },
    });
    const { uploaded, replaced, trashed, there, failed, onlyThere } = result;
    say(
      context,
      values,
      `uploaded: ${uploaded}, replaced: ${replaced}, there already: ${there}, moved to the trash: ${trashed}, ` +
        `different: ${failed + onlyThere} (failed: ${failed}, only on the service: ${onlyThere})`,
    );
    if (failed > 0) throw new SomeFailed(`${failed} ${failed === 1 ? "file was" : "files were"} not synchronised`);

    /** @throws UsageError for an unknown id; a path may be created */
    async function toPath(): Promise<string> {
      const text = folder as string;
      if (text === ROOT || text === "/") return "";
      if (!isId(text)) return text.normalize("NFC").split("/").filter(Boolean).join("/");
      const [path] = folderPaths(await host.folders.list({ signal })).find(([, { _id }]) => _id === text) ?? [];
      if (path === undefined) throw new UsageError(`there is no folder "${text}"`);
      return path;
    }
  },
});
