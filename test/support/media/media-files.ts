import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface MediaFile {
  readonly path: string;
  readonly mimeType: string;
  /** Pixels as displayed; 0 for videos, whose dimensions come with their thumbnails. */
  readonly width: number;
  readonly height: number;
}

/** One real file of every supported type, made by ffmpeg and ImageMagick. */
export async function makeMediaFiles(): Promise<{ folder: string; files: MediaFile[] }> {
  const folder = await mkdtemp(join(tmpdir(), "media-host-media-"));
  const image = async (name: string, mimeType: string, args: string[], width = 320, height = 200) => {
    const path = join(folder, name);
    await run("convert", ["-size", "320x200", "plasma:red-blue", ...args, path]);
    return { path, mimeType, width, height };
  };
  const video = async (name: string, mimeType: string, args: string[]) => {
    const path = join(folder, name);
    const source = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=2"];
    await run("ffmpeg", ["-v", "error", "-y", ...source, ...args, path]);
    return { path, mimeType, width: 0, height: 0 };
  };
  const files = await Promise.all([
    image("photo.jpg", "image/jpeg", ["-quality", "90"]),
    image("sideways.jpg", "image/jpeg", [], 200, 320).then(turn),
    image("screen.png", "image/png", []),
    image("sticker.webp", "image/webp", ["-quality", "80"]),
    image("still.gif", "image/gif", []),
    video("clip.mp4", "video/mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-b:v", "3M"]),
    video("clip.webm", "video/webm", ["-c:v", "libvpx", "-b:v", "1M"]),
    video("clip.mov", "video/quicktime", ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    video("clip.avi", "video/x-msvideo", ["-c:v", "mpeg4"]),
  ]);
  return { folder, files };
}

/** Sets a JPEG's EXIF orientation to 6 (on its side), as phones do: a viewer shows it upright. */
async function turn(file: MediaFile): Promise<MediaFile> {
  const tiff = "4d4d002a00000008" + "0001" + "0112000300000001" + "00060000" + "00000000";
  const content = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), Buffer.from(tiff, "hex")]);
  const header = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  const bytes = await readFile(file.path);
  await writeFile(file.path, Buffer.concat([bytes.subarray(0, 2), header, content, bytes.subarray(2)]));
  return file;
}
