import * as z from "zod";
import { src } from "../../client/images.ts";
import { type Client, MediaHostError, type MediaObject } from "../../client/index.ts";
import { toError } from "../../client/media-host-error.ts";
import { readableUrls } from "../library/signed-urls.ts";
import { ToolError } from "./failed-result.ts";
import { getId } from "./find.ts";
import { FileShape, Id, toFile } from "./shapes.ts";
import { READS, type Toolbox } from "./toolbox.ts";

const WIDTH = 512;
const MAX_WIDTH = 1024;
/** Clients refuse results of more than about a million characters. In base64 these bytes are that many. */
const MAX_PICTURE_BYTES = 700_000;
const ANSWER_WITHIN_MS = 40_000;
/** The pictures that models read. */
const PICTURES: readonly string[] = ["image/jpeg", "image/png", "image/webp", "image/gif"];

export function addViewTool(toolbox: Toolbox, host: Client): void {
  toolbox.add({
    name: "view_file",
    title: "Look at a file",
    description:
      "Shows a small picture of an image, or a video's thumbnail, with the file's facts. It counts as a view of the file.",
    input: z.strictObject({
      id: Id,
      width: z.int().min(64).max(MAX_WIDTH).default(WIDTH).describe("The longer side in pixels, at most"),
    }),
    output: FileShape,
    annotations: READS,
    run: async ({ id, width }, { signal }) => {
      const file = await host.image(getId(id), { signal });
      const readable = { ...file, ...(await readableUrls(host, file, signal)) };
      return { value: toFile(file), picture: await readPicture(readable, width, signal) };
    },
  });
}

interface Picture {
  /** In base64. */
  readonly data: string;
  readonly mimeType: string;
}

async function readPicture(file: MediaObject, width: number, signal: AbortSignal): Promise<Picture> {
  const url = file.mimeType.startsWith("video/") ? thumbnailOf(file) : file.url;
  try {
    return await fetchPicture(src(url, { width, height: width, fit: "max", format: "jpg" }), signal);
  } catch (error) {
    // The account's settings refuse variants. A session has a preview, which is about as large.
    const isRefused = error instanceof MediaHostError && error.code === "variant_refused";
    if (!isRefused || !file.previewUrl) throw error;
    return await fetchPicture(file.previewUrl, signal);
  }
}

/** @throws ToolError if the video has no thumbnail */
function thumbnailOf({ thumbnail, thumbnailUrl }: MediaObject): string {
  if (thumbnail === "ready" && thumbnailUrl !== null) return thumbnailUrl;
  const reason = thumbnail === "pending" ? "The video's thumbnail is not made yet" : "The video has no thumbnail";
  throw new ToolError("no_picture", reason);
}

/** @throws MediaHostError; ToolError if the answer is no picture for a model */
async function fetchPicture(url: string, signal: AbortSignal): Promise<Picture> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  const answer = await fetch(url, { signal: within }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new MediaHostError("The file's address could not be reached", { statusCode: 0, cause });
  });
  if (!answer.ok) throw await toError(answer);
  const mimeType = answer.headers.get("Content-Type")?.replace(/;.*/, "").trim() ?? "";
  if (!PICTURES.includes(mimeType)) {
    await answer.body?.cancel();
    throw new ToolError("no_picture", `The answer is ${mimeType || "of no type"}`);
  }
  const bytes = await readAtMost(answer, MAX_PICTURE_BYTES);
  return { data: bytes.toString("base64"), mimeType };
}

/** @throws ToolError */
async function readAtMost(answer: Response, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    length += piece.length;
    if (length > maxBytes)
      throw new ToolError("picture_too_large", "The picture is too large; ask for a smaller width");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
