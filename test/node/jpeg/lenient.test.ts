import { describe, expect, it } from "vitest";
import { readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makeLenientJpegs } from "../../support/jpeg/lenient-jpegs.ts";
import { decodePixels } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";

// These files are not as T.81 wants them, but libjpeg decodes them, and so browsers show them: they are compressed like any other.

const LOSSLESS = 100;
const files = await makeLenientJpegs();

describe("a pass at quality 100 changes no pixel of a JPEG with", () => {
  it.each(files)("$label", async ({ bytes, sound }) => {
    const after = await decodePixels(await recompressed(bytes, LOSSLESS));
    expect(after.data.equals((await decodePixels(sound)).data)).toBe(true);
  });
});

it("each component of the result has a number of its own, whatever the source says", async () => {
  const sharing = files.filter(({ label }) => label.startsWith("components "));
  expect(sharing.length).toBeGreaterThan(4);
  for (const { bytes } of sharing) {
    const { components } = readCoefficients(await recompressed(bytes, 65));
    expect(components.map(({ id }) => id)).toEqual([1, 2, 3]);
  }
});
