import { toHumanSize } from "../../domain/human-size.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";

const options = {} as const satisfies Options;

export const statsCommand = defineCommand({
  name: "stats",
  summary: "storage and this month's operations",
  args: "",
  options,
  examples: [["--json | jq .storage.percent", "for programs"]],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    if (positionals.length > 0) throw new UsageError("stats takes no argument");
    const { output, signal } = context;
    const { host } = await connect();
    const overview = await host.stats({ signal });
    if (values.json) return output.json(overview);
    const { tier, storage, operations, files, folders } = overview;
    await output.line(`tier        ${tier}`);
    await output.line(
      `storage     ${toHumanSize(storage.used)} of ${toHumanSize(storage.limit)} (${storage.percent} %)`,
    );
    await output.line(
      `operations  ${operations.used} of ${operations.limit} (${operations.percent} %), until ${operations.resetAt.slice(0, 10)}`,
    );
    await output.line(
      `files       ${files.total}: ${files.images} images, ${files.videos} videos, ${files.trashed} in the trash`,
    );
    await output.line(`folders     ${folders}`);
  },
});
