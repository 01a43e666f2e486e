import { describe, expect, it } from "vitest";
import { readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makeLenientJpegs } from "../../support/jpeg/lenient-jpegs.ts";
import { decodePixels } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";

// These files violate T.81, but libjpeg decodes them and so browsers show them: they are compressed like others.

const LOSSLESS = 100;
const files = await makeLenientJpegs();

describe("JPEGs with harmless faults", () => {
  it.each(files)("A pass at quality 100 changes no pixel of a JPEG with $label", async ({ bytes, sound }) => {
    const after = await decodePixels(await recompressed(bytes, LOSSLESS));
    expect(after.data.equals((await decodePixels(sound)).data)).toBe(true);
  });
});

it("Each component of the result has its own number, also if the source's numbers repeat", async () => {
  const sharing = files.filter(({ label }) => label.startsWith("components "));
  expect(sharing.length).toBeGreaterThan(4);
  for (const { bytes } of sharing) {
    const { components } = readCoefficients(await recompressed(bytes, 65));
    expect(components.map(({ id }) => id)).toEqual([1, 2, 3]);
  }
});
