import sharp from "sharp";
import { expect } from "vitest";

export interface ReceivedThumbnail {
  jpeg: Buffer;
  /** The width of the thumbnail. */
  width: number;
  height: number;
  videoWidth: number;
  videoHeight: number;
  /** NaN if the answer has no duration. */
  durationSeconds: number;
}

/** The thumbnail, which the answer must contain. */
export async function receive(response: Response): Promise<ReceivedThumbnail> {
  const jpeg = Buffer.from(await response.arrayBuffer());
  expect(response.status, jpeg.toString("latin1", 0, 200)).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/jpeg");
  const { format, width, height } = await sharp(jpeg).metadata();
  expect(format).toBe("jpeg");
  const number = (name: string) => Number(response.headers.get(name) ?? Number.NaN);
  return {
    jpeg,
    width,
    height,
    videoWidth: number("Media-Width"),
    videoHeight: number("Media-Height"),
    durationSeconds: number("Media-Duration"),
  };
}

const NAMES: Readonly<Record<string, string>> = {
  "100": "red",
  "010": "green",
  "001": "blue",
  "110": "yellow",
  "111": "white",
  "000": "black",
};

/** The colour of a place, from 0 to 1 across and down. */
export async function colorAt(jpeg: Buffer, across: number, down: number): Promise<string> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const at = Math.floor(down * info.height) * info.width + Math.floor(across * info.width);
  const bits = [...data.subarray(at * 3, at * 3 + 3)].map((value) => (value > 110 ? 1 : 0)).join("");
  return NAMES[bits] ?? bits;
}
