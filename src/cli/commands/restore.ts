import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { readIds } from "../library/read-ids.ts";
import { say } from "../terminal/say.ts";

const options = {} as const satisfies Options;

export const restoreCommand = defineCommand({
  name: "restore",
  summary: "take uploads out of the trash",
  args: "ID|URL|-...",
  options,
  examples: [["01kb3w2qjx0000000000000000", "one upload"]],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { host } = await connect();
    let count = 0;
    for await (const ids of readIds(context, positionals)) {
      count += (await host.restore(ids, { signal: context.signal })).updated;
    }
    if (values.json) await context.output.json({ restored: count });
    else say(context, values, `restored: ${count}`);
  },
});
