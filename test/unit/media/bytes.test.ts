import { expect, it } from "vitest";
import { byteFinder } from "../../../src/media/bytes.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

it("A byte is found at any offset, start and end, and none beyond the end", () => {
  const random = seededRandom(3);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let round = 0; round < 20_000; round++) {
    const value = below(256);
    const offset = below(5);
    const buffer = Uint8Array.from(
      { length: offset + below(40) },
      () => [value, value ^ 0x80, value ^ 1, below(256)][below(4)] ?? 0,
    );
    const bytes = buffer.subarray(offset);
    const [from, end] = [below(bytes.length + 1), below(bytes.length + 1)].sort((one, other) => one - other);
    const found = bytes.subarray(0, end).indexOf(value, from);
    expect(byteFinder(bytes, value)(from ?? 0, end)).toBe(found < 0 ? end : found);
  }
});
