import { expect, it } from "vitest";
import { MEDIA_TYPES } from "../../../src/domain/media-types.ts";
import { readHead, sniffMediaType } from "../../../src/media/first-bytes.ts";
import { SAMPLES, type Sample } from "../../support/media/media-bytes.ts";
import { bytesOf } from "../../support/media/samples.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const MUTATIONS_PER_SAMPLE = 400;
/** Bytes at which parsers often fail: ends of ranges, signs, markers. */
const NASTY_BYTES = [0x00, 0x01, 0x7f, 0x80, 0xc0, 0xd9, 0xda, 0xe1, 0xfe, 0xff];

/** Passes if no call throws. */
function expectSane(bytes: Uint8Array<ArrayBuffer>, told: string): void {
  const sniffed = sniffMediaType(bytes);
  if (sniffed !== undefined) expect(MEDIA_TYPES, told).toContain(sniffed);
  for (const type of MEDIA_TYPES) {
    const [soFar, whole] = [readHead(type, bytes, false), readHead(type, bytes, true)];
    // The end of the file adds only facts that were unknown before.
    expect(whole, `${told}: ${type}`).toEqual({ ...soFar, shows: soFar.shows ?? false });
    const { width, height } = whole;
    const isSane =
      Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 === height > 0 && width >= 0;
    expect(isSane, `${told}: ${type} of ${width} x ${height}`).toBe(true);
  }
}

function mutate({ bytes }: Sample, random: (below: number) => number): Uint8Array<ArrayBuffer> {
  const mutated = bytesOf(bytes, new Uint8Array(random(40)));
  for (let changes = 1 + random(6); changes > 0; changes--) {
    const at = random(mutated.length);
    switch (random(4)) {
      case 0:
        mutated[at] = random(256);
        break;
      case 1:
        mutated[at] = (mutated[at] ?? 0) ^ (1 << random(8));
        break;
      case 2:
        mutated.copyWithin(at, random(mutated.length), random(mutated.length));
        break;
      default:
        mutated[at] = NASTY_BYTES[random(NASTY_BYTES.length)] ?? 0;
    }
  }
  return mutated.subarray(0, random(4) === 0 ? random(mutated.length) : mutated.length);
}

it.each(SAMPLES)("$label truncated anywhere is read without harm", (sample) => {
  for (let length = 0; length <= sample.bytes.length; length++) {
    expectSane(sample.bytes.subarray(0, length), `${length} bytes`);
  }
});

it.each(SAMPLES)("$label with changed bytes is read without harm", (sample) => {
  for (let seed = 1; seed <= MUTATIONS_PER_SAMPLE; seed++) {
    expectSane(mutate(sample, seeded(seed)), `seed ${seed}`);
  }
});

it("Random bytes after a signature are read without harm", () => {
  const random = seeded(20);
  for (const { bytes, label } of SAMPLES) {
    for (let round = 0; round < 100; round++) {
      const noise = Array.from({ length: random(200) }, () => random(256));
      expectSane(bytesOf(bytes.subarray(0, random(24)), noise), `${label}, round ${round}`);
    }
  }
});
