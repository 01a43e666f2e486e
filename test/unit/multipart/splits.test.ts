import { describe, expect, it } from "vitest";
import { MultipartError } from "../../../src/multipart/multipart-error.ts";
import { bytesOf } from "../../support/media/samples.ts";
import { type BodyPart, inChunks, multipartBody, readParts, utf8 } from "../../support/uploads/multipart.ts";

const BOUNDARY = "--edge+1";

/** Content that is hard to split: beginnings of the boundary, line ends at the edges, empty content. */
const PARTS: readonly BodyPart[] = [
  { name: "tags", content: utf8("été, 写真") },
  { name: "file", filename: 'naïve 🦊 写真 "q".png', content: bytesOf([0, 255, 13, 10, 0, 13]) },
  { name: "empty", content: utf8("") },
  { name: "file", filename: "empty.gif", content: utf8("") },
  {
    name: "file",
    filename: "near.bin",
    content: utf8(`\r\n--${BOUNDARY.slice(0, -1)}\r\r\n\r\n--${BOUNDARY.slice(1)}\r\n--`),
  },
  { name: "crlf", content: utf8("\r\n\r\n") },
  { name: "prefix", content: utf8(`--${BOUNDARY}--x\n--${BOUNDARY}\r`) },
];

const BODIES: ReadonlyArray<readonly [string, Uint8Array]> = [
  ["plain", multipartBody(BOUNDARY, PARTS, { epilogue: "" })],
  [
    "with a preamble, padding and an epilogue",
    multipartBody(BOUNDARY, PARTS, {
      preamble: `This is a form.\r\n--${BOUNDARY.slice(0, 3)}\r\n`,
      padding: " \t ",
      epilogue: `\r\nThat was it.\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="late"\r\n\r\nx`,
    }),
  ],
];

describe.each(BODIES)("A body %s", (_, body) => {
  it("A body that arrives at once yields its parts", async () => {
    expect(await readParts([body], BOUNDARY)).toEqual(PARTS);
  });

  it("A body yields the same parts at every split", async () => {
    for (let at = 1; at < body.length; at++) {
      const parts = await readParts([body.subarray(0, at), body.subarray(at)], BOUNDARY);
      expect(parts, `split at ${at}`).toEqual(PARTS);
    }
  });

  it.each([1, 2, 3, 5, 7, 64])("A body yields the same parts in chunks of %d bytes", async (size) => {
    expect(await readParts(inChunks(body, size), BOUNDARY)).toEqual(PARTS);
  });
});

describe("Truncated bodies", () => {
  const [, body] = BODIES[1] as (typeof BODIES)[number];
  const end = Buffer.from(body).indexOf(`--${BOUNDARY}--\r\nThat`) + BOUNDARY.length + 4;

  it("A body truncated before the end of the closing boundary is an error", async () => {
    for (let length = 0; length < end; length++) {
      const reading = readParts([body.subarray(0, length)], BOUNDARY);
      await expect(reading, `${length} bytes`).rejects.toBeInstanceOf(MultipartError);
    }
  });

  it("A body is complete at the end of the closing boundary", async () => {
    for (let length = end; length <= body.length; length++) {
      expect(await readParts([body.subarray(0, length)], BOUNDARY), `${length} bytes`).toEqual(PARTS);
    }
  });

  it("A body is an error if the connection breaks", async () => {
    for (let length = 0; length < end; length++) {
      const reading = readParts([body.subarray(0, length)], BOUNDARY, { error: new Error("Gone") });
      await expect(reading, `${length} bytes`).rejects.toBeInstanceOf(MultipartError);
    }
  });
});
