import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { readIds } from "../library/read-ids.ts";
import { say } from "../terminal/say.ts";

const options = {
  add: { type: "string", short: "a", multiple: true, value: "TAG", summary: "put this tag on them; may be repeated" },
  remove: { type: "string", short: "r", multiple: true, value: "TAG", summary: "take this tag off; may be repeated" },
} as const satisfies Options;

export const tagCommand = defineCommand({
  name: "tag",
  summary: "put tags on uploads, and take them off",
  args: "ID|URL|-...",
  options,
  examples: [["--add beach --remove draft 01kb3w2qjx0000000000000000", "one upload"]],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    const [addTags, removeTags] = [[...(values.add ?? [])], [...(values.remove ?? [])]];
    if (addTags.length + removeTags.length === 0) throw new UsageError("which tags? Say --add TAG or --remove TAG");
    const { host } = await connect();
    let count = 0;
    for await (const ids of readIds(context, positionals)) {
      count += (await host.updateAll({ ids, addTags, removeTags }, { signal })).updated;
    }
    if (values.json) await output.json({ tagged: count });
    else say(context, values, `changed: ${count}`);
  },
});
