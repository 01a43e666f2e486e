import type { MediaObject } from "../../client/index.ts";
import { toHumanSize } from "../../domain/human-size.ts";
import { extensionOf, MEDIA_TYPES } from "../../domain/media-types.ts";
import { ORIENTATIONS } from "../../domain/orientation.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { wholeNumber } from "../command-line/parse.ts";
import { findFolderId, ROOT } from "../library/find-folder.ts";
import { printable } from "../terminal/printable.ts";

/** The prefixes of MIME types by the names that people use. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["image", "image/"],
  ["video", "video/"],
  ...MEDIA_TYPES.map((type) => [extensionOf(type), type] as const),
]);

const options = {
  everywhere: { type: "boolean", short: "a", summary: "of every folder" },
  search: { type: "string", short: "s", value: "TEXT", summary: "with this in the name, or as a tag; of every folder" },
  tag: {
    type: "string",
    short: "t",
    multiple: true,
    value: "TAG",
    summary: "with this tag; repeated: with all of them",
  },
  type: {
    type: "string",
    multiple: true,
    value: "TYPE",
    summary: `only ${[...TYPES.keys()].join(", ")}; repeated: one of them`,
  },
  favorite: { type: "boolean", summary: "only favourites" },
  private: { type: "boolean", summary: "only private files" },
  camera: { type: "string", value: "TEXT", summary: "taken with a camera whose name has this" },
  orientation: { type: "string", value: ORIENTATIONS.join("|"), summary: "only pictures of this form" },
  expiring: { type: "boolean", summary: "only files that are deleted at a time" },
  "without-alt": { type: "boolean", summary: "only files without an alt text" },
  "taken-down": { type: "boolean", summary: "only files that the service's operator took down" },
  trash: { type: "boolean", summary: "only the trash" },
  limit: { type: "string", short: "n", value: "N", summary: "at most N" },
  long: { type: "boolean", short: "l", summary: "id, date, size, name, tags" },
} as const satisfies Options;

export const lsCommand = defineCommand({
  name: "ls",
  summary: "list uploads, newest first: one URL a line",
  args: "[FOLDER]",
  options,
  examples: [
    ["", "the files in Root"],
    ["-l Holidays/2026", "the files in a folder, with details"],
    ["--everywhere --tag beach | xargs -n 1 curl -sSO", "every file with a tag"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    if (positionals.length > 1) throw new UsageError("one folder at a time");
    const unknown = values.type?.find((type) => !TYPES.has(type));
    if (unknown !== undefined)
      throw new UsageError(`--type is one of ${[...TYPES.keys()].join(", ")}, not "${unknown}"`);
    const orientation = ORIENTATIONS.find((each) => each === values.orientation);
    if (values.orientation !== orientation)
      throw new UsageError(`--orientation is one of ${ORIENTATIONS.join(", ")}, not "${values.orientation}"`);
    const limit = wholeNumber("limit", values.limit, 1, 999_999_999) ?? Number.POSITIVE_INFINITY;
    const { host } = await connect();
    const [folder] = positionals;
    const folderId = folder === undefined ? undefined : ((await findFolderId(host, folder, signal)) ?? ROOT);
    let count = 0;
    const filter = {
      folderId: values.everywhere ? "all" : folderId,
      limit: Math.min(limit, 100),
      q: values.search,
      tags: values.tag === undefined ? undefined : [...values.tag],
      mimePrefix: values.type?.map((type) => TYPES.get(type)).join(),
      favorite: values.favorite,
      visibility: values.private ? ("private" as const) : undefined,
      camera: values.camera,
      orientation,
      expires: values.expiring,
      hasAlt: values["without-alt"] ? false : undefined,
      takenDown: values["taken-down"],
      status: values.trash ? ("trash" as const) : undefined,
    };
    for await (const image of host.images(filter, { signal })) {
      if (values.json) await output.json(image);
      else await output.line(values.long ? longLine(image) : image.url);
      count += 1;
      if (count >= limit || signal.aborted) break;
    }
  },
});

function longLine({ _id, createdAt, fileSize, prompt, tags }: MediaObject): string {
  const date = createdAt.slice(0, 16).replace("T", " ");
  const marks = tags.length === 0 ? "" : `  [${tags.join(", ")}]`;
  return printable(`${_id}  ${date}  ${toHumanSize(fileSize).padStart(9)}  ${prompt}${marks}`);
}
