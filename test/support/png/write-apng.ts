import type { Sharp } from "sharp";
import { bigEndian, pngChunk } from "../media/media-bytes.ts";

export interface AnimatedFrame {
  readonly picture: Sharp;
  readonly left?: number;
  readonly top?: number;
  /** Numerator and denominator, in seconds. */
  readonly delay: readonly [number, number];
  /** 0 leaves the frame, 1 clears its place, 2 restores what was there. */
  readonly dispose?: number;
  /** 0 replaces, 1 draws over. */
  readonly blend?: number;
}

/** An APNG of exactly this form (PNG, third edition, 11.3.6). The first frame has the size of the canvas. */
export async function writeApng(frames: readonly AnimatedFrame[], plays: number): Promise<Buffer> {
  const files = await Promise.all(frames.map(({ picture }) => picture.ensureAlpha().png().toBuffer()));
  let sequence = 0;
  const parts: Uint8Array[] = [];
  for (const [index, { left = 0, top = 0, delay, dispose = 0, blend = 0 }] of frames.entries()) {
    const file = files[index] ?? Buffer.alloc(0);
    const size = file.subarray(16, 24);
    const [place, time] = [[bigEndian(left, 4), bigEndian(top, 4)], delay.map((part) => bigEndian(part, 2))];
    parts.push(pngChunk("fcTL", bigEndian(sequence++, 4), size, ...place, ...time, [dispose, blend]));
    const rows = rowsOf(file);
    parts.push(index === 0 ? pngChunk("IDAT", rows) : pngChunk("fdAT", bigEndian(sequence++, 4), rows));
  }
  const head = [files[0]?.subarray(0, 33) ?? Buffer.alloc(0)];
  const control = pngChunk("acTL", bigEndian(frames.length, 4), bigEndian(plays, 4));
  return Buffer.concat([...head, control, ...parts, pngChunk("IEND")]);
}

/** The compressed rows of a PNG. */
function rowsOf(png: Buffer): Buffer {
  const rows: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      rows.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return Buffer.concat(rows);
}
