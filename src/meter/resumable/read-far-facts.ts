import type { CameraFacts } from "../../domain/camera-facts.ts";
import { readFarFilm } from "../../media/camera/read-far-film.ts";

/**
 * The facts of a stored film that are behind its first part.
 * @param film.key of the object in R2
 * @param film.farBoxAt the position of the first box behind the first part
 * @throws Error if R2 fails
 */
export function readFarFacts(
  files: R2Bucket,
  { key, farBoxAt, sizeBytes }: { readonly key: string; readonly farBoxAt: number; readonly sizeBytes: number },
): Promise<CameraFacts> {
  const read = async (offset: number, length: number) => {
    const object = await files.get(key, { range: { offset, length } });
    return object === null ? new Uint8Array(0) : new Uint8Array(await object.arrayBuffer());
  };
  return readFarFilm(read, farBoxAt, sizeBytes);
}
