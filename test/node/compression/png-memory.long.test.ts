import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Compressor, openCompressor } from "../../support/png/compressor.ts";
import { header, pngFile } from "../../support/png/write-png.ts";

// PNGs and static GIFs are compressed row by row: memory is the file, its result and a constant.

const MIB = 1024 * 1024;
const MAX_CONSTANT_BYTES = 24 * MIB;
/** The longest time that a step may hold the thread on an idle machine. Other processes may run on this one. */
const MAX_STEP_MS = 50;

const memories: WebAssembly.Memory[] = [];
const Instance = WebAssembly.Instance;
let compressor: Compressor;
let steps: number[] = [];
let lastCpu = process.cpuUsage();

beforeAll(async () => {
  Object.assign(WebAssembly, {
    Instance: class extends Instance {
      constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
        super(module, imports);
        memories.push(this.exports.memory as WebAssembly.Memory);
      }
    },
  });
  compressor = await openCompressor(() => {
    const { user } = process.cpuUsage(lastCpu);
    lastCpu = process.cpuUsage();
    steps.push(user / 1000);
    return undefined;
  });
});

afterAll(() => Object.assign(WebAssembly, { Instance }));

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly colorType: number;
  readonly bitDepth: number;
  readonly interlaced?: boolean;
}

/** Bytes that neither repeat soon nor are noise, so that the search has much to find. The filter is none. */
function picture({ width, height, colorType, bitDepth, interlaced = false }: Shape): Buffer {
  const bits = ({ 0: 1, 2: 3, 6: 4 }[colorType] ?? 1) * bitDepth;
  // An interlaced picture (Adam7) has a filter byte for each row of each pass, and partial bytes.
  const passes = interlaced
    ? [[8, 8, 0, 0], [8, 8, 4, 0], [4, 8, 0, 4], [4, 4, 2, 0], [2, 4, 0, 2], [2, 2, 1, 0], [1, 2, 0, 1]] // biome-ignore format: passes
    : [[1, 1, 0, 0]];
  const lines = passes.flatMap(([dx = 1, dy = 1, left = 0, top = 0]) => {
    const rowBytes = Math.ceil((Math.ceil((width - left) / dx) * bits) / 8);
    const row = Buffer.alloc(1 + rowBytes);
    for (let i = 1; i <= rowBytes; i++) row[i] = (Math.imul(i >> 3, 0x9e3779b1) >>> 20) & (i & 1 ? 0xff : 0x0f);
    return Array.from({ length: Math.ceil((height - top) / dy) }, (_, y) => {
      if (y % 64 !== 0) return row;
      const own = Buffer.alloc(row.length);
      for (let i = 1; i < row.length; i++) own[i] = (row[i] ?? 0) ^ (y >> 6);
      return own;
    });
  });
  const data = deflateSync(Buffer.concat(lines), { level: 1 });
  const ihdr = header({ width, height, bitDepth, colorType: colorType as 0 | 2 | 6, interlaced });
  return pngFile([["IHDR", ihdr], ["IDAT", data], ["IEND", Buffer.alloc(0)]]); // biome-ignore format: chunks
}

const SHAPES: readonly (readonly [string, Shape])[] = [
  ["4 MP of RGB", { width: 2400, height: 1700, colorType: 2, bitDepth: 8 }],
  [
    "4 MP of RGB with alpha, 16 bits, interlaced",
    { width: 2400, height: 1700, colorType: 6, bitDepth: 16, interlaced: true },
  ],
  ["24 MP of RGB", { width: 6000, height: 4000, colorType: 2, bitDepth: 8 }],
  ["100 MP of gray", { width: 10_000, height: 10_000, colorType: 0, bitDepth: 8 }],
  ["rows of 65,000 pixels of 16 bits", { width: 65_000, height: 40, colorType: 6, bitDepth: 16, interlaced: true }],
  ["rows that are too long to be held", { width: 3_000_000, height: 8, colorType: 2, bitDepth: 8 }],
];

describe("memory for PNGs", () => {
  it.each(SHAPES)(
    "A PNG is compressed with less than 24 MB beside the file and the result: %s",
    { timeout: 240_000 },
    async (_, shape) => {
      const file = picture(shape);
      memories.length = 0;
      steps = [];
      lastCpu = process.cpuUsage();
      const result = await compressor.png(file);
      // Equal rows repeat more often in passes, so an interlaced source may be the smaller file.
      if (shape.interlaced !== true) expect(result).toBeDefined();
      const bytes = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      expect(bytes).toBeGreaterThan(MIB);
      expect(bytes).toBeLessThan(MAX_CONSTANT_BYTES);
      // A few exceptions are allowed: this process also compiles and collects garbage.
      const slow = steps.filter((ms) => ms > MAX_STEP_MS).length;
      expect(steps.length).toBeGreaterThan(20);
      expect(slow / steps.length).toBeLessThan(0.05);
    },
  );
});
