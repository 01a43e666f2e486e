import * as z from "zod";
import type { Client, ImageQuery } from "../../client/index.ts";
import { DEFAULT_DUPLICATE_GROUPS, DEFAULT_TAGS, MAX_DUPLICATE_GROUPS, MAX_LISTED_TAGS } from "../../domain/limits.ts";
import { MEDIA_TYPES } from "../../domain/media-types.ts";
import { ORIENTATIONS } from "../../domain/orientation.ts";
import { VISIBILITIES } from "../../domain/visibility.ts";
import { folderPaths, ROOT } from "../library/find-folder.ts";
import { ToolError } from "./failed-result.ts";
import { getFolderId, getId } from "./find.ts";
import { FileShape, Id, NextCursor, paging, toFile } from "./shapes.ts";
import { READS, type Toolbox, type ToolCall } from "./toolbox.ts";

const EVERYWHERE = "all";

const FILTERS = {
  folder: z
    .string()
    .default(EVERYWHERE)
    .describe("A folder's path (Holidays/2026) or _id, without its subfolders; root; or all, the default"),
  tags: z.array(z.string()).max(20).optional().describe("Only files with all of these tags"),
  kind: z.enum(["image", "video"]).optional(),
  types: z.array(z.enum(MEDIA_TYPES)).max(MEDIA_TYPES.length).optional().describe("Only files of one of these types"),
  camera: z.string().min(1).max(100).optional().describe("A part of the camera's name"),
  orientation: z.enum(ORIENTATIONS).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  expires: z.boolean().optional().describe("Whether the file is deleted at a time"),
  hasAlt: z.boolean().optional().describe("Whether the file has an alt text"),
  takenDown: z.boolean().optional().describe("Whether the service's operator took the file down"),
  favorite: z.boolean().optional(),
  trash: z.boolean().default(false).describe("The files in the trash instead"),
  from: z.iso.date().optional().describe("Uploaded on this day (UTC) or later"),
  to: z.iso.date().optional().describe("Uploaded on this day (UTC) or earlier"),
  ...paging(50, 20),
};

const FilesShape = z.object({
  files: z.array(FileShape),
  total: z.number().describe("Files that match, on all pages"),
  nextCursor: NextCursor,
});

/** The tools that change nothing and count no view. */
export function addReadingTools(toolbox: Toolbox, host: Client): void {
  const list = async (filters: z.output<z.ZodObject<typeof FILTERS>>, { signal }: ToolCall, q?: string) => {
    const { folder, kind, types, trash, ...others } = filters;
    const kinds = kind === undefined ? types : types?.filter((type) => type.startsWith(`${kind}/`));
    if (kinds?.length === 0) throw new ToolError("invalid_query", "No type of `types` is of this `kind`");
    const folderId = folder === EVERYWHERE ? EVERYWHERE : ((await getFolderId(host, folder, signal)) ?? ROOT);
    const query: ImageQuery = {
      folderId,
      ...others,
      q,
      mimePrefix: kinds?.join() ?? (kind && `${kind}/`),
      status: trash ? "trash" : "active",
    };
    const { images, pagination } = await host.imagePage(query, { signal });
    const { total, nextCursor } = pagination;
    return { value: { files: images.map(toFile), total, nextCursor } };
  };

  toolbox.add({
    name: "list_files",
    title: "List files",
    description: "Lists images and videos of the library, newest first.",
    input: z.strictObject(FILTERS),
    output: FilesShape,
    annotations: READS,
    run: list,
  });

  toolbox.add({
    name: "search_files",
    title: "Search files",
    description:
      "Finds images and videos by words of their file names, in any order and case, or by a whole tag. Newest first.",
    input: z.strictObject({ query: z.string().min(1).max(200).describe("Words of a file name, or a tag"), ...FILTERS }),
    output: FilesShape,
    annotations: READS,
    run: ({ query, ...filters }, call) => list(filters, call, query),
  });

  toolbox.add({
    name: "get_file",
    title: "Get a file's facts",
    description: "The facts of one file. view_file shows its picture.",
    input: z.strictObject({ id: Id }),
    output: FileShape,
    annotations: READS,
    run: async ({ id }, { signal }) => ({ value: toFile(await host.image(getId(id), { signal })) }),
  });

  toolbox.add({
    name: "list_folders",
    title: "List folders",
    description: "Lists folders by their paths, in the order of their names.",
    input: z.strictObject(paging(200, 100)),
    output: z.object({
      folders: z.array(
        z.object({ _id: z.string(), path: z.string(), itemCount: z.number().describe("Files directly in it") }),
      ),
      nextCursor: NextCursor,
    }),
    annotations: READS,
    run: async ({ limit, cursor }, { signal }) => {
      const all = folderPaths(await host.folders.list({ signal }))
        .map(([path, { _id, itemCount }]) => ({ _id, path, itemCount, place: `${path}\n${_id}` }))
        .sort((a, b) => (a.place < b.place ? -1 : 1));
      const left = cursor === undefined ? all : all.filter(({ place }) => place > cursor);
      const folders = left.slice(0, limit);
      const nextCursor = left.length > limit ? (folders.at(-1)?.place ?? null) : null;
      return { value: { folders: folders.map(({ place: _, ...folder }) => folder), nextCursor } };
    },
  });

  toolbox.add({
    name: "list_duplicates",
    title: "List files with the same bytes",
    description:
      "Lists groups of files of every folder that have the same bytes. A page may be empty although nextCursor is not null.",
    input: z.strictObject(paging(MAX_DUPLICATE_GROUPS, DEFAULT_DUPLICATE_GROUPS)),
    output: z.object({
      groups: z.array(
        z.object({
          count: z.number().describe("Files of the group"),
          freedBytes: z.number().describe("Bytes of all files of the group but one"),
          files: z.array(FileShape).describe("The oldest of them"),
        }),
      ),
      nextCursor: NextCursor,
    }),
    annotations: READS,
    run: async (page, { signal }) => {
      const { groups, pagination } = await host.duplicatePage(page, { signal });
      const shown = groups.map(({ count, freedBytes, images }) => ({ count, freedBytes, files: images.map(toFile) }));
      return { value: { groups: shown, nextCursor: pagination.nextCursor } };
    },
  });

  toolbox.add({
    name: "list_tags",
    title: "List tags",
    description: "Lists the tags of the library's files, the most used first.",
    input: z.strictObject({
      query: z.string().max(200).optional().describe("A part of the tag"),
      limit: z.int().min(1).max(MAX_LISTED_TAGS).default(DEFAULT_TAGS),
    }),
    output: z.object({
      tags: z.array(z.object({ tag: z.string(), count: z.number().describe("Files with the tag") })),
    }),
    annotations: READS,
    run: async ({ query, limit }, { signal }) => ({
      value: { tags: await host.tags({ q: query, limit }, { signal }) },
    }),
  });

  toolbox.add({
    name: "get_usage",
    title: "Get storage and operations",
    description:
      "The account's tier, its storage in bytes, this month's operations, and its numbers of files and folders.",
    input: z.strictObject({}),
    output: z.object({
      tier: z.string(),
      storage: z.object({ used: z.number(), limit: z.number() }).describe("Bytes, including the trash"),
      operations: z.object({ used: z.number(), limit: z.number(), resetAt: z.string() }).describe("Of this month"),
      files: z.object({ images: z.number(), videos: z.number(), trashed: z.number() }),
      folders: z.number(),
    }),
    annotations: READS,
    run: async (_, { signal }) => {
      const { tier, storage, operations, files, folders } = await host.stats({ signal });
      return {
        value: {
          tier,
          storage: { used: storage.used, limit: storage.limit },
          operations: { used: operations.used, limit: operations.limit, resetAt: operations.resetAt },
          files: { images: files.images, videos: files.videos, trashed: files.trashed },
          folders,
        },
      };
    },
  });
}
