import { DAY_MS } from "../../domain/calendar.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { onlyOne, wholeNumber } from "../command-line/parse.ts";
import { findFolderId, ROOT } from "../library/find-folder.ts";
import { prompt } from "../terminal/prompt.ts";

const UNITS = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS } as const;

const options = {
  title: { type: "string", short: "t", value: "TEXT", summary: "the page's heading" },
  password: { type: "boolean", short: "p", summary: "ask for a password that visitors have to type" },
  expires: { type: "string", short: "e", value: "TIME", summary: "the page ends after 12h, 7d or 2w, or at a date" },
  "no-download": { type: "boolean", summary: "the page offers no downloads" },
  upload: { type: "boolean", short: "u", summary: "guests may upload into the folder" },
  "max-files": { type: "string", value: "N", summary: "at most N files of guests; with --upload" },
} as const satisfies Options;

export const shareCommand = defineCommand({
  name: "share",
  summary: "share a folder by a page that needs no account: writes its URL",
  args: "FOLDER",
  options,
  notes: [
    "It asks for the password on the terminal, or reads it from standard input. The page has no folders below FOLDER.",
  ],
  examples: [
    ["Holidays/2026 --title 'Our summer'", "a page for everyone who has the URL"],
    ["Holidays/2026 --password --expires 7d", "for a week, with a password"],
    ["Party --upload --max-files 200", "guests add their photos"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    const folder = onlyOne(positionals, "folder");
    const maxFiles = wholeNumber("max-files", values["max-files"], 1, 999_999_999);
    if (maxFiles !== undefined && !values.upload) throw new UsageError("--max-files is for --upload");
    const expiresAt = values.expires === undefined ? null : toTime(values.expires, Date.now());
    const { host } = await connect();
    const folderId = await findFolderId(host, folder, signal);
    const [password] = values.password ? await prompt(context, [{ text: "Password: ", isSecret: true }]) : [null];
    if (password === "") throw new UsageError("the password is empty");
    const share = await host.shares.create(
      {
        folderId: folderId ?? ROOT,
        title: values.title ?? null,
        password: password ?? null,
        expiresAt,
        allowDownload: !values["no-download"],
        allowUpload: maxFiles === undefined ? (values.upload ?? false) : { maxFiles },
      },
      { signal },
    );
    await (values.json ? output.json(share) : output.line(share.url));
  },
});

/** @throws UsageError unless it is a number of hours, days or weeks, or a date */
function toTime(text: string, now: number): string {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now + Number(count) * UNITS[unit as keyof typeof UNITS]).toISOString();
  const time = Date.parse(text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(time))
    throw new UsageError(`--expires is 12h, 7d, 2w or a date such as 2027-01-31, not "${text}"`);
  return new Date(time).toISOString();
}
