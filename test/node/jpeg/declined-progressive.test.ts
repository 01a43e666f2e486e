import { beforeAll, describe, expect, it } from "vitest";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { withBallast } from "../../support/jpeg/segments.ts";
import { type TestScan, writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";

let picture: CoefficientPicture;

beforeAll(async () => {
  const image = makePicture({ width: 96, height: 64 });
  picture = readCoefficients(await image.jpeg({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer());
});

async function expectKept(jpeg: Uint8Array, reason: string): Promise<void> {
  expect(await recompressJpeg(jpeg, 65)).toEqual({ outcome: "kept", reason });
}

describe("declined progressive files", () => {
  const DC: TestScan = { of: [0, 1, 2], se: 0 };
  const acScans = (rest: Partial<TestScan>) => [0, 1, 2].map((index) => ({ of: [index], ss: 1, se: 63, ...rest }));

  // Decoders smooth incomplete pictures: stored as complete, the picture would look different.
  it.each<[string, TestScan[]]>([
    ["without AC scans", [DC]],
    ["without the chroma's AC scans", [DC, ...acScans({}).slice(0, 1)]],
    ["without the ninth AC coefficient", [DC, ...acScans({ se: 8 })]],
    ["without the last bit of AC", [DC, ...acScans({ al: 1 })]],
    [
      "without the last bit of one of the first AC coefficients",
      [DC, ...acScans({ se: 2 }), ...acScans({ ss: 3, se: 3, al: 1 }), ...acScans({ ss: 4 })],
    ],
  ])("An incomplete progressive file is kept as it is: %s", async (_, scans) => {
    await expectKept(withBallast(writeTestJpeg(picture, { scans })), "Not all of the picture is there");
  });

  it.each<[string, TestScan[]]>([
    ["a refinement of a missing scan", [DC, ...acScans({ ah: 1, al: 0 })]],
    [
      "a refinement that comes twice",
      [DC, ...acScans({ al: 1 }), ...acScans({ ah: 1, al: 0 }), ...acScans({ ah: 1, al: 0 })],
    ],
    ["a band that comes twice", [DC, ...acScans({}), ...acScans({ se: 5 })]],
  ])("A progressive file is kept as it is with %s", async (_, scans) => {
    await expectKept(withBallast(writeTestJpeg(picture, { scans })), "A scan is out of order");
  });

  it("A progressive file with a coefficient beyond every Huffman size is kept as it is", async () => {
    const [luma, ...chroma] = picture.components;
    const coefficients = luma?.coefficients.map((value, at) => (at === 70 ? -32_768 : value));
    const large = { ...picture, components: [{ ...luma, coefficients }, ...chroma] } as CoefficientPicture;
    const bits = Array.from({ length: 13 }, (_, i) => 12 - i);
    const refinements = bits.flatMap((al) => acScans({ ah: al + 1, al }));
    const source = writeTestJpeg(large, { scans: [DC, ...acScans({ al: 13 }), ...refinements] });
    await expectKept(withBallast(source), "A coefficient is too large");
  });

  it("A progressive file without a DC scan is kept as it is", async () => {
    await expectKept(withBallast(writeTestJpeg(picture, { scans: acScans({}) })), "Not all of the picture is there");
  });
});
