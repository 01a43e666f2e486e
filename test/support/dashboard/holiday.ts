import { execFile } from "node:child_process";
import { appendFile, copyFile, mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { makePhoto } from "./photo.ts";

const MIB = 1024 * 1024;
const PHOTOS = 5;
const SCREENSHOTS = 50;

/** A realistic folder: 60 files. An account of 1 GB refuses two of them, a document and a film of 2 GB. */
export async function makeHoliday(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const screenshots = Array.from({ length: SCREENSHOTS }, (_, at) =>
    makePicture(join(path, `screenshot-${String(at + 1).padStart(2, "0")}.png`), at),
  );
  await Promise.all([
    ...screenshots,
    makePicture(join(path, "sticker.webp"), 7),
    ffmpeg("testsrc2=size=160x120:rate=5:duration=2", [join(path, "loop.gif")]),
    makeFilm(join(path, "film.mp4")),
    writeFile(join(path, "notes.pdf"), "%PDF-1.7 no picture"),
    makeSparse(join(path, "too-large.mp4"), 2048 * MIB),
    makePhotos(path),
  ]);
}

/** Photos of 12 megapixels. */
async function makePhotos(path: string): Promise<void> {
  const first = join(path, "photo-1.jpg");
  await makePhoto(first, "4000x3000");
  for (let number = 2; number <= PHOTOS; number += 1) await copyPhoto(first, join(path, `photo-${number}.jpg`));
}

/** The same picture in a different file: bytes after a JPEG's end are no part of the picture. */
export async function copyPhoto(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await appendFile(to, to);
}

/** A file that takes no space on the disk. */
export async function makeSparse(path: string, sizeBytes: number): Promise<void> {
  await writeFile(path, Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isommp42", "latin1"));
  const file = await open(path, "r+");
  await file.truncate(sizeBytes);
  await file.close();
}

/** A small picture of one colour, of the type in its name. */
export async function makePicture(path: string, seed: number): Promise<void> {
  const background = { r: seed * 5, g: 120, b: 255 - seed * 5 };
  await sharp({ create: { width: 320, height: 240, channels: 3, background } }).toFile(path);
}

/** A film of twelve seconds. */
export function makeFilm(path: string): Promise<void> {
  return ffmpeg("testsrc2=size=320x240:rate=25:duration=12", ["-c:v", "libx264", "-pix_fmt", "yuv420p", path]);
}

async function ffmpeg(source: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", source, ...args]);
}
