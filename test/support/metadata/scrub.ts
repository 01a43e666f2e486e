import type { MediaType } from "../../../src/domain/media-types.ts";
import type { ScrubMode } from "../../../src/domain/metadata-mode.ts";
import { beginScrub, scrubPart } from "../../../src/media/metadata/scrubber.ts";

/**
 * A copy of a file without the metadata that a mode drops.
 * @param partBytes the sizes of its parts, the last of which repeats
 * @param pieceBytes the size of the blocks of a part
 */
export async function scrub(
  file: Uint8Array,
  type: MediaType,
  mode: ScrubMode,
  { partBytes = [file.length], pieceBytes = 512 * 1024 }: { partBytes?: readonly number[]; pieceBytes?: number } = {},
): Promise<Buffer> {
  const bytes = Buffer.from(file);
  let state = beginScrub(type, mode);
  for (let at = 0, part = 0; at < bytes.length && state !== undefined; part++) {
    const end = Math.min(bytes.length, at + (partBytes[part] ?? partBytes.at(-1) ?? bytes.length));
    const pieces: Buffer[] = [];
    for (let from = at; from < end; from += pieceBytes)
      pieces.push(bytes.subarray(from, Math.min(end, from + pieceBytes)));
    // The state is stored as JSON between two parts.
    state = JSON.parse(JSON.stringify(await scrubPart(state, pieces))) as typeof state;
    at = end;
  }
  return bytes;
}
