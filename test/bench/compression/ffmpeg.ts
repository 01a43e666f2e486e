import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Whether PATH has an ffmpeg. */
export async function hasFfmpeg(): Promise<boolean> {
  return run("ffmpeg", ["-version"]).then(
    () => true,
    () => false,
  );
}

/**
 * The structural similarity of two pictures over all planes, by ffmpeg's filter `ssim`: 1 = the same. @param pixelFormat both are compared
 * in
 */
export async function similarity(picture: Uint8Array, original: Uint8Array, pixelFormat: string): Promise<number> {
  const graph = `[0:v]format=${pixelFormat}[a];[1:v]format=${pixelFormat}[b];[a][b]ssim`;
  const log = await withFiles([picture, original], async (inputs) => {
    const args = inputs.flatMap((input) => ["-i", input]);
    return (await run("ffmpeg", ["-nostdin", "-hide_banner", ...args, "-lavfi", graph, "-f", "null", "-"])).stderr;
  });
  const all = /SSIM .*All:([\d.]+)/.exec(log)?.[1];
  if (all === undefined) throw new Error(`ffmpeg compared nothing:\n${log}`);
  return Number(all);
}

/** A baseline JPEG with half the colour resolution across, which sharp does not write. Undefined without ffmpeg. */
export async function encodeJpeg422(picture: Uint8Array): Promise<Buffer | undefined> {
  if (!(await hasFfmpeg())) return undefined;
  return withFiles([picture], async ([input = ""]) => {
    const output = `${input}.jpg`;
    await run("ffmpeg", ["-nostdin", "-i", input, "-pix_fmt", "yuvj422p", "-q:v", "2", output]);
    return readFile(output);
  });
}

async function withFiles<Result>(
  contents: readonly Uint8Array[],
  use: (paths: string[]) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "bench-compression-"));
  try {
    const paths = contents.map((_, index) => join(folder, String(index)));
    await Promise.all(contents.map((bytes, index) => writeFile(paths[index] ?? "", bytes)));
    return await use(paths);
  } finally {
    await rm(folder, { recursive: true });
  }
}
