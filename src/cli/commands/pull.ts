import { mkdir } from "node:fs/promises";
import { toHumanSize } from "../../domain/human-size.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { SomeFailed, UsageError } from "../command-line/failures.ts";
import { wholeNumber } from "../command-line/parse.ts";
import { findFolderId, folderPaths } from "../library/find-folder.ts";
import { type PullEvent, pull } from "../pull/pull.ts";
import { safeName } from "../pull/safe-name.ts";
import { printable } from "../terminal/printable.ts";
import { say } from "../terminal/say.ts";

const CONNECTIONS = 16;
const MOST_CONNECTIONS = 64;

const options = {
  concurrency: {
    type: "string",
    short: "c",
    value: "N",
    summary: `files at once: 1 to ${MOST_CONNECTIONS}; ${CONNECTIONS} by default`,
  },
  force: { type: "boolean", summary: "replace copies that were changed here, and other files at their paths" },
} as const satisfies Options;

/** A difference in words. */
const DIFFERENCES: Partial<Record<PullEvent["status"], string>> = {
  "changed-here": "changed here; --force replaces it",
  occupied: "another file is in its place; --force replaces it",
  "only-here": "only here",
  gone: "deleted from the service meanwhile",
  failed: "failed",
};
/** Differences that the command was asked to remove, and could not. */
const IS_FAILURE: readonly PullEvent["status"][] = ["changed-here", "occupied", "failed"];

export const pullCommand = defineCommand({
  name: "pull",
  summary: "download a folder with its subfolders, or the whole library (root)",
  args: "FOLDER [DIRECTORY]",
  options,
  notes: [
    "Folders become directories, and manifest.jsonl lists every file with its hash. An interrupted run is continued by the same command.",
    "Files that are there are not downloaded again, and no file is deleted here. A download with a key counts as a view of the file.",
  ],
  examples: [
    ["root ~/Backup", "everything"],
    ["Holidays/2026", "a folder, into the directory 2026"],
    ["root ~/Backup --json | jq -r 'select(.status == \"failed\").path'", "for programs"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const [text, directory, ...rest] = positionals;
    if (text === undefined || rest.length > 0) throw new UsageError("pull FOLDER [DIRECTORY]; root is everything");
    const connections = wholeNumber("concurrency", values.concurrency, 1, MOST_CONNECTIONS) ?? CONNECTIONS;
    const { signal, output, stderr } = context;
    const { host } = await connect();
    const top = await findFolderId(host, text, signal);
    const names = directory === undefined && top !== null ? await host.folders.list({ signal }) : [];
    const [, found] = folderPaths(names).find(([, { _id }]) => _id === top) ?? [];
    const folder = directory ?? safeName(found?.name ?? "media-host");
    await mkdir(folder, { recursive: true }).catch((error: Error) => {
      throw new UsageError(`the directory cannot be made: ${error.message}`);
    });
    const isQuiet = values.quiet === true;
    const result = await pull({
      host,
      top,
      folder,
      connections,
      signal,
      isForced: values.force === true,
      async onEvent(event) {
        const difference = DIFFERENCES[event.status];
        if (values.json) await output.json(event);
        else if (difference !== undefined && (!isQuiet || IS_FAILURE.includes(event.status)))
          stderr.write(`${difference}: ${printable(event.path)}${event.error ? `: ${printable(event.error)}` : ""}\n`);
        else if (event.status === "downloaded" && !isQuiet && !stderr.isTTY)
          stderr.write(`downloaded: ${printable(event.path)}\n`);
      },
    });
    const { downloaded, downloadedBytes, there, moved, differences } = result;
    const summary = `downloaded: ${downloaded} (${toHumanSize(downloadedBytes)}), there already: ${there}, moved: ${moved}`;
    say(context, values, `${summary}, different: ${differences.length}`);
    const failed = differences.filter(({ status }) => IS_FAILURE.includes(status)).length;
    if (failed > 0) throw new SomeFailed(`${failed} ${failed === 1 ? "file is" : "files are"} not as on the service`);
  },
});
