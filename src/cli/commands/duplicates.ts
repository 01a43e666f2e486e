import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";

const options = {
  extra: { type: "boolean", short: "x", summary: "only the files that are not the oldest of their group" },
} as const satisfies Options;

export const duplicatesCommand = defineCommand({
  name: "duplicates",
  summary: "list uploads with the same bytes: one URL a line, an empty line between groups",
  args: "",
  options,
  examples: [
    ["", "every group, the oldest file first"],
    ["--extra | xargs media-host rm", "keep the oldest file of each group"],
    ["--json | jq .freedBytes", "for programs"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    if (positionals.length > 0) throw new UsageError("duplicates takes no argument");
    const { output, signal } = context;
    const { host } = await connect();
    let cursor: string | undefined;
    let isFirst = true;
    do {
      const { groups, pagination } = await host.duplicatePage({ cursor }, { signal });
      for (const group of groups) {
        if (values.json) await output.json(group);
        else {
          if (!isFirst && !values.extra) await output.line("");
          for (const { url } of group.images.slice(values.extra ? 1 : 0)) await output.line(url);
        }
        isFirst = false;
      }
      cursor = pagination.nextCursor ?? undefined;
    } while (cursor !== undefined && !signal.aborted);
  },
});
