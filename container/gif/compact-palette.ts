import { CannotCompress } from "../cannot-compress.ts";

const MAX_COLORS = 256;
const TRANSPARENT = 0;

export interface CompactPalette {
  /** RGB triplets, each colour once. */
  palette: Buffer;
  /** Alpha of the first colours; empty when nothing is transparent. */
  alpha: Buffer;
  /** From the GIF's colour index to this palette's. */
  translate: Uint8Array;
}

/**
 * The colours that an image really uses. Where anything is transparent, it is the first.
 * @param needsTransparent whether there are pixels outside the frame, which a GIF leaves transparent
 * @throws CannotCompress where a pixel has no colour, or more than 256 are needed
 */
export function compactPalette(
  frame: { palette: Buffer; transparentIndex: number | undefined },
  indexes: Uint8Array,
  needsTransparent: boolean,
): CompactPalette {
  const used = new Uint8Array(MAX_COLORS);
  for (const index of indexes) used[index] = 1;
  const translate = new Uint8Array(MAX_COLORS);
  const isUsed = (index: number) => used[index] === 1;
  const hasTransparent = needsTransparent || (frame.transparentIndex !== undefined && isUsed(frame.transparentIndex));
  const colors: number[] = hasTransparent ? [0] : [];
  const known = new Map<number, number>();
  for (let index = 0; index < MAX_COLORS; index++) {
    if (!isUsed(index)) continue;
    if (index === frame.transparentIndex) {
      translate[index] = TRANSPARENT;
      continue;
    }
    if (index * 3 + 3 > frame.palette.length) throw new CannotCompress("damaged image data");
    const color = frame.palette.readUIntBE(index * 3, 3);
    const slot = known.get(color) ?? colors.push(color) - 1;
    known.set(color, slot);
    translate[index] = slot;
  }
  if (colors.length > MAX_COLORS) throw new CannotCompress("too many colours for a palette");
  const palette = Buffer.alloc(colors.length * 3);
  for (const [slot, color] of colors.entries()) palette.writeUIntBE(color, slot * 3, 3);
  return { palette, alpha: Buffer.alloc(hasTransparent ? 1 : 0), translate };
}
