import type { CameraFacts } from "../../../domain/camera-facts.ts";
import { toLogLine } from "../../../domain/log-line.ts";
import { storedKey } from "../../../domain/object-key.ts";
import { readFarFilm } from "../../../media/camera/read-far-film.ts";
import type { AccountContext } from "../../context.ts";
import type { StoredFile } from "./identify-file.ts";

/** Adds the facts of a stored film that are behind its first part. No upload fails for want of them. */
export async function withFarFacts(account: AccountContext, { farBoxAt, ...stored }: StoredFile): Promise<StoredFile> {
  return farBoxAt === undefined ? stored : { ...stored, ...(await readFarFacts(account, stored, farBoxAt)) };
}

async function readFarFacts(
  { files }: AccountContext,
  stored: StoredFile,
  farBoxAt: number,
): Promise<Partial<CameraFacts>> {
  const { uploadId, sizeBytes } = stored;
  try {
    const read = async (offset: number, length: number) => {
      const object = await files.get(storedKey(stored), { range: { offset, length } });
      return object === null ? new Uint8Array(0) : new Uint8Array(await object.arrayBuffer());
    };
    return await readFarFilm(read, farBoxAt, sizeBytes);
  } catch (error) {
    console.error(toLogLine("upload.facts-not-read", { uploadId }, error));
    return {};
  }
}
