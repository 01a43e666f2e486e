import { type CameraFacts, NO_CAMERA } from "../../domain/camera-facts.ts";
import type { MediaType } from "../../domain/media-types.ts";
import type { ByteSource } from "./byte-source.ts";
import { boxesIn, readFilmCamera } from "./read-film-camera.ts";

/** The most boxes that are read beyond the first bytes: `moov` often follows `mdat` at once. */
const MAX_FAR_BOXES = 4;
/** The bytes that are read of each box: the whole `moov` of a short film. */
const LOOK_BYTES = 64 * 1024;
/** A longer `moov` is read as far as this: its time is at its beginning. */
const MAX_MOOV_BYTES = 2 * 1024 * 1024;
/** The longest header of a box. No box begins closer to the end of a file. */
const HEADER_BYTES = 16;

/** Reads bytes of the whole file. */
export type ReadRange = (at: number, length: number) => Promise<Uint8Array>;

/**
 * The position of the first box behind the first bytes of a film, if they have no `moov` because a long `mdat` precedes it.
 * @param first the first bytes of a file with this sniffed type
 */
export function findFarBox(type: MediaType, first: ByteSource): number | undefined {
  if (type !== "video/mp4" && type !== "video/quicktime") return undefined;
  for (const { type: name, end } of boxesIn(first, { at: 0, end: Number.MAX_SAFE_INTEGER })) {
    if (name === "moov") return undefined;
    if (end >= first.length) return end;
  }
  return undefined;
}

/** Reads the facts of a film from its boxes behind a position, with at most five ranges and two megabytes of the file. */
export async function readFarFilm(read: ReadRange, at: number, sizeBytes: number): Promise<CameraFacts> {
  let from = at;
  for (let count = 0; count < MAX_FAR_BOXES && from + HEADER_BYTES <= sizeBytes; count++) {
    const look = await read(from, Math.min(LOOK_BYTES, sizeBytes - from));
    const [box] = boxesIn(toSource(look), { at: 0, end: sizeBytes - from });
    if (box === undefined) return NO_CAMERA;
    if (box.type === "moov") {
      const length = Math.min(box.end, MAX_MOOV_BYTES);
      return readFilmCamera(toSource(length > look.length ? await read(from, length) : look));
    }
    from += box.end;
  }
  return NO_CAMERA;
}

function toSource(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}
