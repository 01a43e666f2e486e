import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import ffmpeg from "@ffmpeg-installer/ffmpeg";

const run = promisify(execFile);

const PLACE = "+48.2082+016.3738+171.0/";

/** A film of a second with picture and sound. @param parameters of ffmpeg for the output @param name its extension decides the type */
async function film(name: string, ...parameters: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "film-"));
  try {
    const path = join(folder, name);
    const sources = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1"];
    await run(ffmpeg.path, ["-v", "error", ...sources, "-c:v", "mpeg4", "-c:a", "aac", ...parameters, path]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Checksums of all frames, pictures and sound, as ffmpeg decodes them. */
export async function hashFrames(bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "film-"));
  try {
    const path = join(folder, "film");
    await writeFile(path, bytes);
    const maps = ["-map", "0:v", "-map", "0:a?", "-f", "framemd5", "-"];
    const { stdout } = await run(ffmpeg.path, ["-v", "error", "-i", path, ...maps]);
    // The header repeats metadata.
    return stdout.replace(/^#.*\n/gm, "");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The film has `udta` with `loci` at the end of the file. */
export const plainMp4 = (): Promise<Buffer> =>
  film("a.mp4", "-metadata", `location=${PLACE}`, "-metadata", "title=Trip");

/** The same with `moov` before the media data. */
export const fastMp4 = (): Promise<Buffer> =>
  film("a.mp4", "-movflags", "+faststart", "-metadata", `location=${PLACE}`, "-metadata", "title=Trip");

/** Fragments. */
export const fragmentedMp4 = (): Promise<Buffer> =>
  film("a.mp4", "-movflags", "+frag_keyframe+empty_moov", "-metadata", `location=${PLACE}`);

/** `udta` with `©xyz`, as QuickTime has it. */
export const classicMov = (): Promise<Buffer> => film("a.mov", "-metadata", `location=${PLACE}`);

/** An iPhone's `meta` with `keys`. */
export const phoneMov = (): Promise<Buffer> =>
  film(
    "a.mov",
    ...["-movflags", "use_metadata_tags", "-metadata", `com.apple.quicktime.location.ISO6709=${PLACE}`],
    ...[
      "-metadata",
      "com.apple.quicktime.make=Apple",
      "-metadata",
      "com.apple.quicktime.location.accuracy.horizontal=3.5",
    ],
    ...["-metadata", "com.apple.quicktime.creationdate=2024-05-06T07:08:09+0200"],
  );

const uint32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const chars = (text: string) => Array.from(text, (char) => char.charCodeAt(0));
const zeros = (count: number) => new Array<number>(count).fill(0);

function box(type: string, ...content: number[][]): number[] {
  const all = content.flat();
  return [...uint32(8 + all.length), ...chars(type), ...all];
}

function field(key: string, type: number, sampleBytes: number, data: number[]): number[] {
  const count = data.length / sampleBytes;
  return [...chars(key), type, sampleBytes, count >> 8, count & 255, ...data, ...zeros(-data.length & 3)];
}

/** A GoPro's telemetry of a second: a device with a stream of places (GPMF, "GPS5"). */
function telemetry(): number[] {
  const places = Array.from({ length: 18 }, (_, i) =>
    [482082000 + i, 163738000 + i, 171000, 1000, 1000].flatMap(uint32),
  ).flat();
  const scale = [10_000_000, 10_000_000, 1000, 1000, 100].flatMap(uint32);
  const stream = [...field("SCAL", 0x6c, 4, scale), ...field("GPS5", 0x6c, 20, places)];
  const device = [
    ...field("DVID", 0x4c, 4, uint32(1)),
    ...field("DVNM", 0x63, 1, chars("Hero")),
    ...field("STRM", 0, 1, stream),
  ];
  return field("DEVC", 0, 1, device);
}

/** A film whose telemetry is a track of its own (`gpmd`), as a GoPro writes it. */
export async function actionCamera(): Promise<Buffer> {
  const plain = await film("a.mp4");
  const moovAt = plain.indexOf("moov") - 4;
  const data = Buffer.from(box("mdat", telemetry()));
  const entry = box("gpmd", zeros(6), [0, 1]);
  const table = box(
    "stbl",
    box("stsd", zeros(4), uint32(1), entry),
    box("stts", zeros(4), uint32(1), uint32(1), uint32(1000)),
    box("stsc", zeros(4), uint32(1), uint32(1), uint32(1), uint32(1)),
    box("stsz", zeros(4), uint32(data.length - 8), uint32(1)),
    box("stco", zeros(4), uint32(1), uint32(moovAt + 8)),
  );
  const handler = box("hdlr", zeros(8), chars("meta"), zeros(12), chars("GoPro MET\0"));
  const reference = box("dinf", box("dref", zeros(4), uint32(1), box("url ", [0, 0, 0, 1])));
  const media = box(
    "mdia",
    box("mdhd", zeros(12), uint32(1000), uint32(1000), [0x55, 0xc4, 0, 0]),
    handler,
    box("minf", box("gmhd", box("gmin", zeros(16))), reference, table),
  );
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].flatMap(uint32);
  const header = box("tkhd", [0, 0, 0, 1], zeros(8), uint32(3), zeros(4), uint32(1000), zeros(16), matrix, zeros(8));
  const track = box("trak", header, media);
  const moov = plain.subarray(moovAt);
  const grown = Buffer.concat([Buffer.from(uint32(moov.length + track.length)), moov.subarray(4), Buffer.from(track)]);
  return Buffer.concat([plain.subarray(0, moovAt), data, grown]);
}
