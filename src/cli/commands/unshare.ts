import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { onlyOne } from "../command-line/parse.ts";
import { say } from "../terminal/say.ts";

/** A page's address has the account's id, the share's id and a signature. */
const URL_OF_SHARE = /\/s\/\w{26}(\w{26})[\w-]{22}$/;

const options = {} as const satisfies Options;

export const unshareCommand = defineCommand({
  name: "unshare",
  summary: "end a share: its page is gone at once, its files stay",
  args: "ID|URL",
  options,
  examples: [["01kb3w2qjx0000000000000000", "by the id of `shares --long`, or by the page's URL"]],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    const given = onlyOne(positionals, "id or URL of a share");
    const { host } = await connect();
    const id = URL_OF_SHARE.exec(given)?.[1] ?? given;
    await host.shares.delete(id, { signal });
    if (values.json) await output.json({ ended: id });
    else say(context, values, `ended: ${id}`);
  },
});
