import { gif, mp4, png } from "../media/samples.ts";

export interface ClientFile {
  /** No two files of a schedule have the same number, and none but copies the same bytes. */
  readonly number: number;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isVideo: boolean;
}

const EXTENSION = { png: "png", gif: "gif", mp4: "mp4" } as const;

/** Draws a file with unique bytes: small, about as large as a part of a multipart upload, or of several parts. */
export function drawFile(number: number, random: () => number): ClientFile {
  const kind = (["png", "png", "gif", "mp4"] as const)[Math.floor(random() * 4)] ?? "png";
  const drawn = random();
  const sizeBytes = Math.floor(
    drawn < 0.6 ? 100 + random() * 400 : drawn < 0.85 ? 500 + random() * 1800 : 2049 + random() * 4500,
  );
  const bytes = make(kind, sizeBytes);
  bytes[bytes.length - 3] = number >> 8;
  bytes[bytes.length - 2] = number & 255;
  bytes[bytes.length - 1] = number % 251;
  return { number, name: `f${number}.${EXTENSION[kind]}`, bytes, isVideo: kind === "mp4" };
}

/** A file of another name with the same bytes. */
export function copyOf(file: ClientFile, number: number): ClientFile {
  return { ...file, number, name: file.name.replace(/\d+/, String(number)) };
}

function make(kind: keyof typeof EXTENSION, sizeBytes: number): Uint8Array {
  if (kind === "png") return png(1, 1, sizeBytes);
  if (kind === "mp4") return mp4(sizeBytes);
  const bytes = new Uint8Array(sizeBytes);
  bytes.set(gif());
  return bytes;
}
