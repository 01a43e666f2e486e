import { createHash } from "node:crypto";
import { basename } from "node:path";
import * as z from "zod";
import type { Client } from "../../client/index.ts";
import { MAX_TAGS } from "../../domain/tags.ts";
import type { OpenFile, Roots } from "../upload/roots.ts";
import { ToolError } from "./failed-result.ts";
import { getFolderId, getId } from "./find.ts";
import { Ids } from "./shapes.ts";
import type { Toolbox, ToolCall } from "./toolbox.ts";

const Tags = z.array(z.string().min(1).max(100)).max(MAX_TAGS);
const Changed = z.object({ updated: z.number().describe("Files that were changed; others do not exist") });

/** The tools of `--write`. None of them deletes permanently. */
export function addChangingTools(toolbox: Toolbox, host: Client, roots: Roots): void {
  toolbox.add({
    name: "upload_file",
    title: "Upload a file",
    description: `Uploads an image or a video from this machine. Its URL is public. The file is below ${roots.paths.join(" or ")}.`,
    input: z.strictObject({
      path: z.string().min(1).describe("The file's path: absolute, or relative to the first of these folders"),
      folder: z.string().default("root").describe("The target folder's path or _id; Root by default"),
      tags: Tags.default([]),
      name: z.string().min(1).max(255).optional().describe("Another name than the file's own"),
    }),
    output: z.object({
      _id: z.string(),
      url: z.string(),
      originalFilename: z.string(),
      mimeType: z.string(),
      fileSize: z.number(),
      folderId: z.string().nullable(),
      tags: z.array(z.string()),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: async ({ path, folder, tags, name }, call) => {
      await using file = await roots.open(path);
      const folderId = await getFolderId(host, folder, call.signal);
      const { size, mtimeMs } = await file.handle.stat();
      const stored = await host.upload(readWhole(file, call), {
        folderId,
        tags,
        signal: call.signal,
        name: name ?? basename(file.path),
        // A model that repeats a call whose answer was lost gets the first upload.
        idempotencyKey: digest([file.path, size, mtimeMs, folderId, tags, name]),
      });
      const { _id, url, originalFilename, mimeType, fileSize } = stored;
      return {
        value: {
          _id,
          url,
          originalFilename,
          mimeType,
          fileSize,
          folderId: stored.folderId,
          tags: stored.tags,
        },
      };
    },
  });

  toolbox.add({
    name: "tag_files",
    title: "Add and remove tags",
    description: "Puts tags on files, and takes tags off.",
    input: z.strictObject({ ids: Ids, add: Tags.default([]), remove: Tags.default([]) }),
    output: Changed,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ ids, add, remove }, { signal }) => {
      if (add.length + remove.length === 0) throw new ToolError("invalid_request", "Name tags in add or remove");
      const { updated } = await host.updateAll({ ids: ids.map(getId), addTags: add, removeTags: remove }, { signal });
      return { value: { updated } };
    },
  });

  toolbox.add({
    name: "trash_files",
    title: "Move files to the trash",
    description:
      "Moves files to the trash. Their URLs keep working, they still count as storage, and restore_files undoes it.",
    input: z.strictObject({ ids: Ids }),
    output: Changed,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ ids }, { signal }) => ({
      value: { updated: (await host.trash(ids.map(getId), { signal })).updated },
    }),
  });

  toolbox.add({
    name: "restore_files",
    title: "Take files out of the trash",
    description: "Takes files out of the trash, back into their folders.",
    input: z.strictObject({ ids: Ids }),
    output: Changed,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async ({ ids }, { signal }) => ({
      value: { updated: (await host.restore(ids.map(getId), { signal })).updated },
    }),
  });
}

const READ_BYTES = 1024 * 1024;

/** The bytes of an open file. @throws ToolError at their end if the file changed while it was read, so that no mixture is stored */
async function* readWhole({ handle, path }: OpenFile, { progress }: ToolCall): AsyncGenerator<Uint8Array> {
  const before = await handle.stat();
  let sent = 0;
  for await (const piece of handle.createReadStream({ autoClose: false, highWaterMark: READ_BYTES })) {
    yield piece as Buffer;
    sent += (piece as Buffer).length;
    progress(sent, before.size);
  }
  const { size, mtimeMs } = await handle.stat();
  if (size !== before.size || mtimeMs !== before.mtimeMs || sent !== size)
    throw new ToolError("file_changed", `${path} changed while it was sent; nothing was stored`);
}

function digest(facts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}
