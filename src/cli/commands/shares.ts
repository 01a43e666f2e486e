import type { Share } from "../../client/index.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { printable } from "../terminal/printable.ts";

const options = {
  long: { type: "boolean", short: "l", summary: "id, URL, title, and terms that differ from the usual ones" },
} as const satisfies Options;

export const sharesCommand = defineCommand({
  name: "shares",
  summary: "list shares, newest first: one URL a line",
  args: "",
  options,
  examples: [
    ["", "the URLs"],
    ["--long", "with ids, for unshare"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    if (positionals.length > 0) throw new UsageError("shares takes no arguments");
    const { host } = await connect();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await host.shares.list({ limit: 100, ...(cursor !== undefined && { cursor }) }, { signal });
      for (const share of page.shares) {
        if (values.json) await output.json(share);
        else await output.line(values.long ? longLine(share) : share.url);
      }
      cursor = page.pagination.nextCursor;
    }
  },
});

function longLine({ _id, url, title, hasPassword, expiresAt, allowUpload }: Share): string {
  const marks = [
    ...(hasPassword ? ["password"] : []),
    ...(expiresAt === null ? [] : [`until ${expiresAt.slice(0, 16).replace("T", " ")}`]),
    ...(allowUpload === false ? [] : [`uploads: ${allowUpload.usedFiles}`]),
  ];
  return printable(`${_id}  ${url}  ${title ?? ""}${marks.length === 0 ? "" : `  [${marks.join(", ")}]`}`);
}
