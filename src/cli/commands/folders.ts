import type { Client } from "../../client/index.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { didYouMean } from "../command-line/nearest.ts";
import { findFolderId, folderPaths } from "../library/find-folder.ts";
import { printable } from "../terminal/printable.ts";
import { say } from "../terminal/say.ts";

const options = {} as const satisfies Options;

export const foldersCommand = defineCommand({
  name: "folders",
  summary: "list folders; create, rename and delete them",
  args: "[create PATH | rename PATH NAME | rm PATH]",
  options,
  notes: ["A folder that is deleted takes the folders in it with it; their uploads move to Root."],
  examples: [
    ["", "all folders by their paths"],
    ["create Holidays/2026", "the last one, and those above it that are not there"],
    ["rename Holidays/2026 'Summer 2026'", "another name"],
    ["rm Holidays/2026", "the folder goes, its uploads stay"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    const [verb, path, name, ...rest] = positionals;
    const isWhole = verb === undefined || (path !== undefined && (name !== undefined) === (verb === "rename"));
    if (rest.length > 0 || !isWhole) throw new UsageError("folders, folders create PATH, rename PATH NAME, or rm PATH");
    const { host } = await connect();
    if (verb === undefined) {
      for (const [each, folder] of folderPaths(await host.folders.list({ signal }))) {
        await (values.json ? output.json({ path: each, ...folder }) : output.line(printable(each)));
      }
    } else if (verb === "create") {
      const folderId = await createPath(host, path ?? "", signal);
      await (values.json ? output.json({ _id: folderId }) : output.line(folderId));
    } else if (verb === "rename") {
      const folder = await host.folders.update(await folderOf(path), { name: name ?? "" }, { signal });
      if (values.json) await output.json(folder);
      else say(context, values, `renamed: ${folder.name}`);
    } else if (verb === "rm") {
      const deleted = await host.folders.delete(await folderOf(path), { signal });
      if (values.json) await output.json(deleted ?? {});
      else say(context, values, `deleted; uploads that moved to Root: ${deleted?.movedUploads ?? "unknown"}`);
    } else
      throw new UsageError(`"${verb}" is none of create, rename, rm${didYouMean(verb, ["create", "rename", "rm"])}`);

    async function folderOf(text = ""): Promise<string> {
      const id = await findFolderId(host, text, signal);
      if (id === null) throw new UsageError("Root is no folder of yours");
      return id;
    }
  },
});

/** @returns the id of the last folder of the path */
async function createPath(host: Client, path: string, signal: AbortSignal): Promise<string> {
  const names = path.normalize("NFC").split("/").filter(Boolean);
  if (names.length === 0) throw new UsageError("a folder has a name");
  const ids = new Map(folderPaths(await host.folders.list({ signal })).map(([each, { _id }]) => [each, _id]));
  let parentId: string | null = null;
  for (const [at, name] of names.entries()) {
    const known = ids.get(names.slice(0, at + 1).join("/"));
    parentId = known ?? (await host.folders.create({ name, parentId }, { signal }))._id;
  }
  return parentId as string;
}
