import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Effort } from "../../../src/media/png/deflate/choose-effort.ts";
import { deflate } from "../../../src/media/png/deflate/deflate.ts";
import { PngEngine } from "../../../src/media/png/engine.ts";
import { readModule } from "../../support/codecs/read-module.ts";

const pngEngine = await readModule("src/media/png/engine/png-engine.wasm");

// RFC 1950 and 1951: zlib's own inflate returns the input.

const GRAPHICS: Effort = { near: 8, far: 16, nice: 64, isThorough: false, segmentBytes: 512 * 1024 };
const PHOTOGRAPHS: Effort = { near: 32, far: 32, nice: 258, isThorough: true, segmentBytes: 128 * 1024 };
const NOISE: Effort = { near: 4, far: 0, nice: 258, isThorough: false, segmentBytes: 128 * 1024 };
/** `deflate.ts` searches this many bytes between two chances to yield. */
const STEP_BYTES = 16 * 1024;
const PIECE_BYTES = 50_000;

async function pack(data: Uint8Array, effort: Effort): Promise<Buffer> {
  const engine = new PngEngine(pngEngine, () => 0);
  const { loops } = engine;
  loops.beginPicture(0, 8, 1, 1);
  let given = 0;
  const result = await deflate(engine, {
    totalBytes: data.length,
    waitingBytes: PIECE_BYTES,
    affordableBytes: Number.POSITIVE_INFINITY,
    effort,
    yieldIfDue: () => undefined,
    addData: () => {
      const piece = data.subarray(given, given + PIECE_BYTES);
      engine.bytesAt(loops.freeAt(), piece.length).set(piece);
      loops.added(piece.length);
      given += piece.length;
      return given < data.length ? 1 : 0;
    },
  });
  if (typeof result === "string") throw new Error(result);
  return Buffer.concat(result);
}

function noise(size: number, values: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % values;
  });
}

const repeat = (part: Uint8Array, times: number) =>
  Uint8Array.from({ length: part.length * times }, (_, i) => part[i % part.length] ?? 0);

const CASES: readonly (readonly [string, Uint8Array])[] = [
  ["one byte", Uint8Array.of(7)],
  ["eleven bytes, fewer than are hashed", noise(11, 256)],
  ["thirteen of the same", new Uint8Array(13).fill(255)],
  ["noise", noise(70_000, 256)],
  ["noise of few values", noise(70_000, 3)],
  ["one value over several segments", new Uint8Array(2_200_000)],
  ["exactly a segment", repeat(noise(512, 256), 2048)],
  ["one byte more than a segment", repeat(noise(1024 * 1024 + 1, 5), 1)],
  ["what repeats at the far end of the window", repeat(noise(32_768, 256), 3)],
  ["what repeats just out of the window", repeat(noise(32_769, 256), 3)],
  [
    "matches of all lengths",
    Uint8Array.from(Array.from({ length: 600 }, (_, i) => [...noise(3, 256, i), ...noise(3 + (i % 300), 256)]).flat()),
  ],
  ["text and noise in turn", repeat(Uint8Array.of(...noise(3000, 256), ...repeat(noise(9, 26), 400)), 20)],
];

describe.each([GRAPHICS, PHOTOGRAPHS, NOISE])("Deflate with %o", (effort) => {
  it.each(CASES)("Deflated data inflates to the input: %s", async (_, data) => {
    expect(inflateSync(await pack(data, effort)).equals(data)).toBe(true);
  });

  it("Deflated text and noise in turn are smaller than zlib's output", async () => {
    const [, data] = CASES.at(-1) ?? ["", new Uint8Array(0)];
    expect((await pack(data, effort)).length).toBeLessThan(deflateSync(data, { level: 9 }).length);
  });
});

describe("Steps of the search", () => {
  it("A long match that spans two steps inflates to the input", async () => {
    const row = noise(200, 256);
    for (let before = 0; before <= row.length + 2; before++) {
      const gap = noise(STEP_BYTES - row.length - before, 256, 7);
      const data = Uint8Array.of(...row, ...gap, ...row, ...noise(30, 256, 9), ...row);
      expect(inflateSync(await pack(data, GRAPHICS)).equals(data), `${before} bytes before the end`).toBe(true);
    }
  });
});
