import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** ffmpeg's output for these arguments; the name determines the container. */
export async function makeVideo(name: string, ...args: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "processor-video-"));
  try {
    const path = join(folder, name);
    await run("ffmpeg", ["-nostdin", "-v", "error", ...args, path]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A lavfi source, encoded. */
export async function encode(name: string, source: string, ...args: string[]): Promise<Buffer> {
  return makeVideo(name, "-f", "lavfi", "-i", source, ...args);
}

const FIXED = 0x10000;

/** The display matrices of a quarter, a half and three quarters of a turn (ISO/IEC 14496-12, 8.3.2; a, b, c, d of nine values). */
const MATRICES: Readonly<Record<number, readonly [number, number, number, number]>> = {
  0: [FIXED, 0, 0, FIXED],
  90: [0, FIXED, -FIXED, 0],
  180: [-FIXED, 0, 0, -FIXED],
  270: [0, -FIXED, FIXED, 0],
};

/** An MP4 or MOV whose first track is displayed turned clockwise. */
export function turned(movie: Buffer, degrees: number): Buffer {
  const copy = Buffer.from(movie);
  const matrix = copy.indexOf("tkhd") + 4 + 40;
  const [a, b, c, d] = MATRICES[degrees] ?? [];
  for (const [index, value] of [a, b, 0, c, d].entries()) copy.writeInt32BE(value ?? 0, matrix + index * 4);
  return copy;
}

/** A movie with `sizeBytes` of free space between its data and its index (`moov`); the data keeps its place. */
export function spread(movie: Buffer, sizeBytes: number): (Buffer | number)[] {
  const index = movie.lastIndexOf("moov") - 4;
  const free = Buffer.alloc(16);
  free.writeUInt32BE(1, 0);
  free.write("free", 4, "latin1");
  free.writeBigUInt64BE(BigInt(sizeBytes + free.length), 8);
  return [movie.subarray(0, index), free, sizeBytes, movie.subarray(index)];
}
