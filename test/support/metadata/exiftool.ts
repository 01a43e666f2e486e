import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Tags by group and name, as exiftool finds them anywhere in a file: also in embedded pictures, films and telemetry. */
export type Tags = Readonly<Record<string, unknown>>;

/** Calls exiftool. @throws Error if it is not installed */
async function exiftool(...parameters: string[]): Promise<string> {
  const { stdout } = await run("exiftool", parameters, { maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
    // exiftool exits with 1 if it cannot read a file, and still prints its findings.
    if (typeof error === "object" && error !== null && "stdout" in error && error.stdout !== "") {
      return { stdout: String(error.stdout) };
    }
    throw error;
  });
  return stdout;
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "metadata-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param name with the type's extension */
export async function readTags(bytes: Uint8Array, name: string): Promise<Tags> {
  const [tags = {}] = await readAllTags([bytes], name);
  return tags;
}

/** The tags of several files of a type. Starting exiftool takes longer than reading a file. */
export function readAllTags(files: readonly Uint8Array[], name: string): Promise<Tags[]> {
  return inFolder(async (folder) => {
    const paths = files.map((_, at) => join(folder, `${at}-${name}`));
    await Promise.all(files.map((bytes, at) => writeFile(paths[at] ?? "", bytes)));
    const options = ["-j", "-ee3", "-G3:1", "-a", "-u", "-n", "-api", "LargeFileSupport=1"];
    return JSON.parse(await exiftool(...options, ...paths)) as Tags[];
  });
}

/** The file with these tags: arguments of exiftool such as `-GPSLatitude=48.2`. */
export async function withTags(bytes: Uint8Array, name: string, ...tags: string[]): Promise<Buffer> {
  const [tagged] = await tagAll([bytes], name, ...tags);
  if (tagged === undefined) throw new Error("exiftool wrote no file");
  return tagged;
}

/** Several files of a type with these tags. Files that exiftool cannot write are as they were. */
export function tagAll(files: readonly Uint8Array[], name: string, ...tags: string[]): Promise<Buffer[]> {
  return inFolder(async (folder) => {
    const paths = files.map((_, at) => join(folder, `${at}-${name}`));
    await Promise.all(files.map((bytes, at) => writeFile(paths[at] ?? "", bytes)));
    const written = exiftool("-q", "-m", "-overwrite_original", ...tags, ...paths);
    if (files.length === 1) await written;
    else await written.catch(() => undefined);
    return Promise.all(paths.map((path) => readFile(path)));
  });
}

/** Names of tags that contain a place, or the identity of the device or owner. */
const PRIVATE =
  /gps|latitude|longitude|altitude|location|(?<!capa)city|country|province|state$|serial|ownername|makernote|thumbnailimage|previewimage(?!size)|geolocation/i;
/** Structure, such as the positions of pictures, that exiftool reports itself. */
const HARMLESS = /^(?:SourceFile|.*(?:MPImage|PreviewImage)(?:Start|Length|Size).*)$/;

/** The private tags of a file, with their values; empty values do not count. */
export function privateTags(tags: Tags): string[] {
  return Object.entries(tags)
    .filter(
      ([name, value]) =>
        PRIVATE.test(name.split(":").at(-1) ?? "") && !HARMLESS.test(name) && String(value).trim() !== "",
    )
    .map(([name, value]) => `${name}: ${String(value).slice(0, 60)}`);
}

/**
 * exiftool's errors and warnings about a file's structure. Left out are minor ones, and those about tags that Exif 2.32 wants in every
 * file, such as its version.
 */
export function validate(bytes: Uint8Array, name: string): Promise<string[]> {
  return inFolder(async (folder) => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const printed = await exiftool("-validate", "-warning", "-error", "-a", "-s3", path);
    const lines = printed.split("\n").filter((line) => line !== "" && !/^(?:OK|\d+ Warnings?.*)$/.test(line));
    return lines.filter((line) => !/^(?:\[minor\]|Missing required JPEG)/.test(line));
  });
}
