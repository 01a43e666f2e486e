import { ERRORS } from "../../../domain/errors.ts";
import type { MultipartPart, MultipartReader } from "../../../multipart/read-multipart.ts";
import { MAX_COMPRESSIBLE_BYTES } from "../../../processor/compression.ts";
import { type HeldPart, IncomingFile } from "../receive/incoming-file.ts";
import { readText } from "../receive/upload-fields.ts";
import type { UploadRun } from "../upload-run.ts";

/** The form of a preview: its texts, and its file in memory. */
export interface PreviewForm {
  readonly id: string | undefined;
  readonly quality: string | undefined;
  /** Undefined if there is no file. */
  readonly file: readonly HeldPart[] | undefined;
}

/**
 * Reads the form to its end, with fields in any order. Unknown fields are skipped.
 * @param held collects the file's parts, for the caller to release if reading fails
 * @throws ServiceError 400, 413, 503; MultipartError, BodyTooLargeError
 */
export async function receivePreviewForm(
  run: UploadRun,
  form: MultipartReader,
  held: HeldPart[],
): Promise<PreviewForm> {
  const texts = new Map<string, string>();
  let hasFile = false;
  for await (const part of form.parts()) {
    if (part.name === "file" && part.filename !== undefined) {
      if (hasFile) throw ERRORS.InvalidRequest({ file: "Only one file is allowed" });
      hasFile = await holdFile(run, part, held);
    } else if (part.name === "id" || part.name === "quality") {
      texts.set(part.name, await readText(part));
    }
  }
  return {
    id: texts.get("id") || undefined,
    quality: texts.get("quality") || undefined,
    file: hasFile ? held : undefined,
  };
}

/** @returns false for a form's empty file input */
async function holdFile(run: UploadRun, part: MultipartPart, held: HeldPart[]): Promise<boolean> {
  const incoming = new IncomingFile(part.filename ?? "", part, run);
  let sizeBytes = 0;
  while (await incoming.more()) {
    const next = incoming.openPart();
    held.push(next);
    await incoming.fill(next);
    sizeBytes += next.length;
    if (sizeBytes > MAX_COMPRESSIBLE_BYTES) throw ERRORS.BodyTooLarge(MAX_COMPRESSIBLE_BYTES);
  }
  return sizeBytes > 0;
}
