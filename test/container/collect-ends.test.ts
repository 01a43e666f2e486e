import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { collectEnds } from "../../container/collect-ends.ts";

const HEAD_BYTES = 5;
const TAIL_BYTES = 7;

/** The kept text, if the text arrives in chunks of this size. */
async function ends(text: string, chunkBytes: number): Promise<string> {
  const chunks = Array.from({ length: Math.ceil(text.length / chunkBytes) }, (_, i) =>
    Buffer.from(text.slice(i * chunkBytes, (i + 1) * chunkBytes)),
  );
  return (await collectEnds(Readable.from(chunks), HEAD_BYTES, TAIL_BYTES)).toString();
}

describe.each([1, 2, 3, 5, 7, 12, 100])("a stream in chunks of %d bytes", (chunkBytes) => {
  it.each(["", "a", "abcde", "abcdef", "abcdefghijkl"])("A short text is kept whole: '%s'", async (text) => {
    expect(await ends(text, chunkBytes)).toBe(text);
  });

  it.each([
    ["abcdefghijklm", "abcde\nghijklm"],
    ["abcdefghijklmnopqrstuvwxyz", "abcde\ntuvwxyz"],
  ])("Both ends of a long text are kept: '%s'", async (text, expected) => {
    expect(await ends(text, chunkBytes)).toBe(expected);
  });
});

describe("no stream", () => {
  it("Nothing is kept without a stream", async () => {
    expect(await collectEnds(null, HEAD_BYTES, TAIL_BYTES)).toHaveLength(0);
  });
});
