import { describe, expect, it } from "vitest";
import { BodyTooLargeError, MultipartError } from "../../../src/multipart/multipart-error.ts";
import { MultipartReader } from "../../../src/multipart/read-multipart.ts";
import { bytesOf } from "../../support/media/samples.ts";
import {
  inChunks,
  multipartBody,
  partHeaders,
  readParts,
  seeded,
  streamOf,
  utf8,
} from "../../support/uploads/multipart.ts";

const BOUNDARY = "edge";
const WINDOW_BYTES = 64 * 1024;

function randomBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = seeded(seed);
  return Uint8Array.from({ length }, () => random(256));
}

describe("Sliding window", () => {
  const noise = randomBytes(2 * WINDOW_BYTES + 64, 7);
  const lengths = [-2, -1, 0, 1, 2].flatMap((delta) => [WINDOW_BYTES + delta, 2 * WINDOW_BYTES + delta]);
  const overhead = 4 + BOUNDARY.length + partHeaders({ name: "file", filename: "a.mp4" }).length;
  const aligned = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1].map((delta) => WINDOW_BYTES - overhead + delta);

  it.each([...lengths, ...aligned])("The sliding window loses no byte of a part of %d bytes", async (length) => {
    const parts = [
      { name: "file", filename: "a.mp4", content: noise.subarray(0, length) },
      { name: "file", filename: "b.mp4", content: noise.subarray(1, 4) },
    ];
    for (const chunkBytes of [Number.POSITIVE_INFINITY, WINDOW_BYTES, 65_537, 4096]) {
      const body = multipartBody(BOUNDARY, parts);
      const read = await readParts(chunkBytes > body.length ? [body] : inChunks(body, chunkBytes), BOUNDARY);
      expect(read.map(({ name, filename }) => [name, filename])).toEqual(
        parts.map((part) => [part.name, part.filename]),
      );
      for (const [index, part] of parts.entries()) {
        expect(Buffer.compare(Buffer.from(read[index]?.content ?? []), part.content)).toBe(0);
      }
    }
  });

  it("The sliding window reads content that consists of half boundaries as content", async () => {
    const content = utf8(`\r\n--${BOUNDARY.slice(0, -1)}`.repeat(60_000));
    const parts = [{ name: "file", filename: "a", content }];
    const [read] = await readParts([multipartBody(BOUNDARY, parts)], BOUNDARY);
    expect(Buffer.compare(Buffer.from(read?.content ?? []), content)).toBe(0);
  });
});

describe("Part headers", () => {
  const body = (headerBytes: number) => {
    const disposition = 'Content-Disposition: form-data; name="tags"\r\nX: ';
    // The line end after the boundary counts as header bytes, because it only ends the boundary's line.
    const filler = "x".repeat(headerBytes - disposition.length - 2);
    return utf8(`--${BOUNDARY}\r\n${disposition}${filler}\r\n\r\na\r\n--${BOUNDARY}--\r\n`);
  };

  it.each([1, 1000, 16_384, 100_000])("Part headers may have 16 KiB, in chunks of %d bytes", async (size) => {
    for (const length of [16_380, 16_381, 16_382, 16_383, 16_384]) {
      expect(await readParts(inChunks(body(length), size), BOUNDARY), `${length}`).toHaveLength(1);
    }
    for (const length of [16_385, 16_386, 16_390, 70_000]) {
      const reading = readParts(inChunks(body(length), size), BOUNDARY);
      await expect(reading, `${length}`).rejects.toThrow("The headers of a part are too long");
    }
  });

  it("Part headers without an end are refused after 16 KiB", async () => {
    let sent = 0;
    function* endless() {
      yield utf8(`--${BOUNDARY}\r\nX: `);
      for (; ; sent += 1024) yield new Uint8Array(1024).fill(0x78);
    }
    await expect(readParts(endless(), BOUNDARY)).rejects.toBeInstanceOf(MultipartError);
    expect(sent).toBeLessThan(1_000_000);
  });

  it.each([
    ["none at all", ""],
    ["no Content-Disposition", "Content-Type: text/plain\r\n"],
    ["another disposition", 'Content-Disposition: attachment; name="file"\r\n'],
    ["no name", 'Content-Disposition: form-data; filename="a.png"\r\n'],
    ["an open quote", 'Content-Disposition: form-data; name="file\r\n'],
    ["no colon", "Content-Disposition\r\n"],
  ])("Part headers with %s are an error", async (_, headers) => {
    const sent = utf8(`--${BOUNDARY}\r\n${headers}\r\nx\r\n--${BOUNDARY}--\r\n`);
    await expect(readParts([sent], BOUNDARY)).rejects.toThrow("A part has no name");
    await expect(readParts(inChunks(sent, 1), BOUNDARY)).rejects.toThrow("A part has no name");
  });
});

describe("Folded part headers", () => {
  const read = async (headers: string) => {
    const sent = utf8(`--${BOUNDARY}\r\n${headers}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`);
    for (const size of [sent.length, 1]) {
      const [part] = await readParts(inChunks(sent, size), BOUNDARY);
      expect(part?.content).toEqual(utf8("x"));
      expect([part?.name, part?.filename]).toEqual(["file", "a b.png"]);
    }
  };

  it.each([
    ["before its parameters", 'Content-Disposition: form-data;\r\n name="file";\r\n\tfilename="a b.png"'],
    ["before its value", 'Content-Disposition:\r\n form-data; name="file"; filename="a b.png"'],
    ["within a quoted value", 'Content-Disposition: form-data; name="file"; filename="a\r\n b.png"'],
    ["behind another header", 'X-Other: 1,\r\n 2\r\nContent-Disposition: form-data; name="file"; filename="a b.png"'],
    [
      "with a header of that name in its fold",
      'X: 1\r\n Content-Disposition: form-data; name="b"\r\nContent-Disposition: form-data; name="file"; filename="a b.png"',
    ],
  ])("Part headers folded over several lines are read as one line (%s)", async (_, headers) => {
    await read(headers);
  });
});

describe("Boundary lines", () => {
  it.each(["x", "-x", "-", "\n", "\r\r\n", " x", "\0"])("A boundary followed by %j is an error", async (follows) => {
    const sent = utf8(`--${BOUNDARY}${follows}Content-Disposition: form-data; name="a"\r\n\r\nx\r\n--${BOUNDARY}--`);
    await expect(readParts([sent], BOUNDARY)).rejects.toBeInstanceOf(MultipartError);
  });

  it("A boundary line may have up to 16 KiB of padding", async () => {
    const parts = [{ name: "a", content: utf8("x") }];
    const padded = (length: number) => multipartBody(BOUNDARY, parts, { padding: " ".repeat(length) });
    expect(await readParts([padded(10_000)], BOUNDARY)).toHaveLength(1);
    await expect(readParts([padded(20_000)], BOUNDARY)).rejects.toBeInstanceOf(MultipartError);
  });
});

describe("Limits of the body", () => {
  it("A body may have at most 200 parts", async () => {
    const parts = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `${i}`, content: utf8("x") }));
    expect(await readParts([multipartBody(BOUNDARY, parts(200))], BOUNDARY)).toHaveLength(200);
    await expect(readParts([multipartBody(BOUNDARY, parts(201))], BOUNDARY)).rejects.toThrow("More than 200 parts");
  });

  it("A body may have at most `maxBytes` bytes", async () => {
    const body = multipartBody(BOUNDARY, [{ name: "a", content: new Uint8Array(1000) }], { epilogue: "" });
    const { length } = body;
    expect(await readParts(inChunks(body, 100), BOUNDARY, { maxBytes: length })).toHaveLength(1);
    const reading = readParts(inChunks(body, 100), BOUNDARY, { maxBytes: length - 1 });
    await expect(reading).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  it("An endless stream after the closing boundary is not read further", async () => {
    let sent = 0;
    function* endless() {
      yield multipartBody(BOUNDARY, [{ name: "a", content: utf8("x") }]);
      for (; ; sent += 4096) yield new Uint8Array(4096);
    }
    expect(await readParts(endless(), BOUNDARY)).toHaveLength(1);
    expect(sent).toBeLessThan(1_000_000);
  });
});

it("The parser skips parts that are not read or read in part", async () => {
  const noise = randomBytes(300_000, 3);
  const parts = ["a", "b", "c", "d"].map((name) => ({ name, filename: "x", content: noise }));
  const reader = new MultipartReader(
    streamOf(inChunks(multipartBody(BOUNDARY, parts), 50_000)),
    BOUNDARY,
    undefined,
    1e9,
  );
  const names: string[] = [];
  for await (const part of reader.parts()) {
    names.push(part.name);
    if (part.name === "b" || part.name === "d") expect((await part.read())?.length).toBeGreaterThan(0);
  }
  expect(names).toEqual(["a", "b", "c", "d"]);
});

it("The parser accepts header names in any case, bare values, and Latin-1 if not UTF-8", async () => {
  const sent = bytesOf(
    `--${BOUNDARY}\r\ncontent-DISPOSITION:form-data;name=file;filename="caf`,
    [0xe9],
    `.png"\r\nX-Other: 1\r\n\r\n1\r\n--${BOUNDARY}--`,
  );
  expect(await readParts([sent], BOUNDARY)).toEqual([{ name: "file", filename: "café.png", content: utf8("1") }]);
});

describe("Refused bodies", () => {
  const CHUNK = new Uint8Array(1024 * 1024);

  /** @returns a reader of `chunks` megabytes, and the end of its stream */
  function opened(chunks: number, maxBytes: number, next: () => Promise<void> = async () => {}) {
    const seen = { sent: 0, cancelled: false };
    const body: ReadableStream<Uint8Array> = new ReadableStream({
      type: "bytes",
      async pull(controller) {
        await next();
        if (seen.sent++ < chunks) controller.enqueue(CHUNK.slice());
        else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
      cancel() {
        seen.cancelled = true;
      },
    });
    return { reader: new MultipartReader(body, BOUNDARY, undefined, maxBytes), seen };
  }

  async function refused(chunks: number, next?: () => Promise<void>) {
    const { reader, seen } = opened(chunks, 1, next);
    await expect(reader.parts().next()).rejects.toThrow(BodyTooLargeError);
    return { reader, seen };
  }

  it("A refused body is read to its end, so that its sender reads the answer", async () => {
    const { reader, seen } = await refused(30);
    await reader.refuse();
    expect(seen).toEqual({ sent: 31, cancelled: false });
  });

  it("A refused body of any length within its limit is read to its end", async () => {
    const { reader, seen } = opened(90, 100 * CHUNK.length);
    await reader.refuse();
    expect(seen).toEqual({ sent: 91, cancelled: false });
  });

  it("A refused body is cancelled once it exceeds its limit", async () => {
    const { reader, seen } = opened(1000, 50 * CHUNK.length);
    await reader.refuse();
    expect(seen.cancelled).toBe(true);
    expect(seen.sent).toBeGreaterThan(49);
    expect(seen.sent).toBeLessThan(60);
  });

  it("A body refused for its size is cancelled after 32 MiB", async () => {
    const { reader, seen } = await refused(1000);
    await reader.refuse();
    expect(seen.cancelled).toBe(true);
    expect(seen.sent).toBeGreaterThan(30);
    expect(seen.sent).toBeLessThan(40);
  });

  it("A refused body is cancelled after five seconds without a byte", async () => {
    let stalled = false;
    const { reader, seen } = await refused(1000, () => (stalled ? new Promise(() => {}) : Promise.resolve()));
    stalled = true;
    const before = performance.now();
    await reader.refuse();
    expect(seen.cancelled).toBe(true);
    expect(performance.now() - before).toBeGreaterThan(4000);
  }, 10_000);
});
