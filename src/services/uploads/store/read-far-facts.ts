import { toLogLine } from "../../../domain/log-line.ts";
import { storedKey } from "../../../domain/object-key.ts";
import { readFarFacts } from "../../../meter/resumable/read-far-facts.ts";
import type { AccountContext } from "../../context.ts";
import type { StoredFile } from "./identify-file.ts";

/** Adds the facts of a stored film that are behind its first part. No upload fails for want of them. */
export async function withFarFacts(
  { files }: AccountContext,
  { farBoxAt, ...stored }: StoredFile,
): Promise<StoredFile> {
  if (farBoxAt === undefined) return stored;
  const { uploadId, sizeBytes } = stored;
  try {
    return { ...stored, ...(await readFarFacts(files, { key: storedKey(stored), farBoxAt, sizeBytes })) };
  } catch (error) {
    console.error(toLogLine("upload.facts-not-read", { uploadId }, error));
    return stored;
  }
}
