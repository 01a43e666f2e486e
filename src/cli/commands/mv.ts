import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { findFolderId } from "../library/find-folder.ts";
import { readIds } from "../library/read-ids.ts";
import { say } from "../terminal/say.ts";

const options = {} as const satisfies Options;

export const mvCommand = defineCommand({
  name: "mv",
  summary: "move uploads to a folder",
  args: "ID|URL|-... FOLDER",
  options,
  notes: ["FOLDER is a path (Holidays/2026), an id, or root. Files' URLs stay as they are."],
  examples: [
    ["01kb3w2qjx0000000000000000 Holidays/2026", "one upload"],
    ["- root < ids.txt", "a list of ids or URLs"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const folder = positionals.at(-1);
    if (folder === undefined || positionals.length < 2) throw new UsageError("name the uploads, and then the folder");
    const { host } = await connect();
    const { signal, output } = context;
    const folderId = await findFolderId(host, folder, signal);
    let count = 0;
    for await (const ids of readIds(context, positionals.slice(0, -1))) {
      count += (await host.updateAll({ ids, folderId }, { signal })).updated;
    }
    if (values.json) await output.json({ moved: count });
    else say(context, values, `moved: ${count}`);
  },
});
