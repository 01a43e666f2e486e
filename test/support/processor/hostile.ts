// Files that name other files or hosts, in the ways that containers allow.

/** A RIFF chunk: its name, its size, its content, and a byte that makes it even. */
function chunk(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
}

const list = (name: string, ...content: readonly Buffer[]) => chunk("LIST", Buffer.from(name, "latin1"), ...content);
const words = (...values: readonly number[]) => Buffer.concat(values.map((value) => uint(value, 4)));

function uint(value: number, length: 2 | 4): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
}

export interface AviPictures {
  readonly width: number;
  readonly height: number;
  /** JPEG frames, ten of them a second. */
  readonly frames: readonly Buffer[];
}

/**
 * An AVI of pictures that contains subtitles: a text stream whose `GAB2` chunk holds them as a file. Players that detect this file's type
 * themselves follow a playlist there to its addresses.
 */
export function aviWithSubtitles({ width, height, frames }: AviPictures, subtitles: string): Buffer {
  const text = (value: string) => Buffer.from(value, "latin1");
  const header = words(100_000, 0, 0, 0x10, frames.length, 0, 2, 0, width, height, 0, 0, 0, 0);
  const stream = (type: string, handler: string, length: number) =>
    chunk("strh", text(type), text(handler), words(0, 0, 0, 1, 10, 0, length, 0, 0xffffffff, 0, 0, 0));
  const bitmap = [words(40, width, height), uint(1, 2), uint(24, 2), text("MJPG"), words(0, 0, 0, 0, 0)];
  const gab2 = [text("GAB2\0"), uint(2, 2), words(2), uint(0, 2), uint(4, 2), words(subtitles.length), text(subtitles)];
  const hdrl = list(
    "hdrl",
    chunk("avih", header),
    list("strl", stream("vids", "MJPG", frames.length), chunk("strf", ...bitmap)),
    list("strl", stream("txts", "\0\0\0\0", 1), chunk("strf", words(0))),
  );
  const movi = list("movi", chunk("01tx", ...gab2), ...frames.map((frame) => chunk("00dc", frame)));
  return chunk("RIFF", text("AVI "), hdrl, movi);
}

/** The atoms between a movie and the list of files that hold its data (ISO/IEC 14496-12, 8.7.2). */
const PATH = ["moov", "trak", "mdia", "minf", "dinf", "dref"];

/** A movie with its index at the end, whose first track's data is in the file at an absolute path (QuickTime alias). */
export function movieWithDataIn(movie: Buffer, path: string): Buffer {
  const atoms: number[] = [];
  for (const name of PATH) atoms.push(movie.indexOf(name, atoms.at(-1) ?? movie.lastIndexOf("moov") - 1) - 4);
  const dref = atoms.at(-1) ?? 0;
  const first = dref + 16;
  const entry = alias(path);
  const grownBy = entry.length - movie.readUInt32BE(first);
  const copy = Buffer.from(movie);
  for (const at of atoms) copy.writeUInt32BE(copy.readUInt32BE(at) + grownBy, at);
  return Buffer.concat([copy.subarray(0, first), entry, copy.subarray(first + movie.readUInt32BE(first))]);
}

const VOLUME = "disk";

/** A Macintosh alias record, as far as players read it: names of a fixed length, then tagged ones (2: the whole path). */
function alias(path: string): Buffer {
  const fixed = Buffer.alloc(162);
  fixed.write("alis", 4, "latin1");
  fixed.writeUInt8(VOLUME.length, 22);
  fixed.write(VOLUME, 23, "latin1");
  const name = path.split("/").at(-1) ?? "";
  fixed.writeUInt8(name.length, 62);
  fixed.write(name, 63, 63, "latin1");
  const whole = Buffer.from(VOLUME + path.replaceAll("/", ":"), "latin1");
  const record = Buffer.concat([fixed, tag(2, whole), tag(-1, Buffer.alloc(0))]);
  record.writeUInt32BE(record.length, 0);
  return record;
}

function tag(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeInt16BE(type, 0);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content, Buffer.alloc(content.length & 1)]);
}

const TITLE = Buffer.from("7ba9", "hex");
const NEXT_FILE = Buffer.from("3e83bb", "hex");

/** A Matroska file (RFC 9559, 5.1.2.7) that names a next file. Its title makes room for that, and must be longer. */
export function matroskaFollowedBy(file: Buffer, name: string): Buffer {
  const at = file.indexOf(TITLE);
  const length = (file[at + 2] ?? 0) & 0x7f;
  const copy = Buffer.from(file);
  NEXT_FILE.copy(copy, at);
  copy[at + 3] = 0x80 | (length - 1);
  copy.fill(0, at + 4, at + 3 + length);
  copy.write(name, at + 4, length - 1, "utf8");
  return copy;
}
