import { expect, it } from "vitest";
import { MarkerWalk } from "../../../src/media/jpeg/markers.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

/** B.1.1.5, byte by byte. */
function endOfData(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

it("The marker walk finds the end of entropy-coded data at any offset, start and share of FF", () => {
  const random = seededRandom(7);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let round = 0; round < 20_000; round++) {
    const offset = below(5);
    const buffer = Uint8Array.from(
      { length: offset + below(40) },
      () => [0xff, 0, 0xd0 + below(8), below(256)][below(4)] ?? 0,
    );
    const bytes = buffer.subarray(offset);
    const from = below(bytes.length + 1);
    expect(new MarkerWalk(bytes, from).skipData()).toBe(endOfData(bytes, from));
  }
});
