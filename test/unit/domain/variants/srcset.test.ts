import { describe, expect, it } from "vitest";
import { picture, type SrcsetSizing, srcset } from "../../../../src/client/images.ts";
import { GRID_WIDTHS } from "../../../../src/domain/variants/grid.ts";
import { parseVariant } from "../../../../src/domain/variants/parse-variant.ts";
import { type Variant, variantFor } from "../../../../src/domain/variants/variant.ts";
import { geometryOf } from "../../../../src/domain/variants/variant-geometry.ts";

// The client's `srcset` chooses sizes of the service's grid, so each URL gets the width that its descriptor promises.

const URL_OF_IMAGE = "https://media.example/uploads/a/b/photo.jpg";

/** The variants that a `srcset`'s URLs ask for, with the width that each descriptor promises. */
function variantsOf(sizing: SrcsetSizing): (Variant & { readonly promised: number })[] {
  const set = srcset(URL_OF_IMAGE, sizing);
  if (set === "") return [];
  return set.split(", ").map((candidate) => {
    const [url = "", descriptor = ""] = candidate.split(" ");
    const parsed = parseVariant(new URL(url).search.slice(1));
    if (parsed === undefined || "errors" in parsed) throw new Error(JSON.stringify(parsed));
    const variant = variantFor(parsed.request, { sourceType: "image/jpeg", accepted: { webp: false, avif: false } });
    return { ...variant, promised: Number.parseInt(descriptor, 10) };
  });
}

describe("srcset", () => {
  it.each([
    { sizing: {}, count: 8 },
    { sizing: { aspectRatio: 3 / 2, fit: "crop" }, count: 8 },
    { sizing: { aspectRatio: 1, fit: "crop" }, count: 8 },
    { sizing: { aspectRatio: 3 / 4, fit: "crop" }, count: 8 },
    { sizing: { aspectRatio: 9 / 16, fit: "crop" }, count: 8 },
    { sizing: { aspectRatio: 1 / 9, fit: "crop" }, count: 4 },
    { sizing: { widths: [320, 640], aspectRatio: 2 / 3, fit: "crop" }, count: 2 },
    { sizing: { widths: [320, 640], height: 900, fit: "crop" }, count: 2 },
    { sizing: { widths: [100, 300, 310, 1700, 3000], dpr: 2 }, count: 4 },
    { sizing: { widths: [8192, 9000] }, count: 1 },
  ] as const)("No width of $sizing is rounded by the service, so each descriptor is true", ({ sizing, count }) => {
    const variants = variantsOf(sizing);
    expect(variants).toHaveLength(count);
    for (const { width = 0, height, promised } of variants) {
      expect(width).toBe(promised);
      expect(GRID_WIDTHS).toContain(Math.max(width, height ?? 0));
      const { aspectRatio = width / (height ?? width) } = sizing as { aspectRatio?: number };
      expect(Math.abs(width - (height ?? width) * aspectRatio)).toBeLessThanOrEqual(1);
    }
  });

  const ORIGINALS = [
    [4000, 3000],
    [3000, 4000],
    [1200, 800],
    [800, 1200],
    [300, 200],
    [200, 300],
    [20, 3000],
    [3000, 20],
  ] as const;
  const SHAPES: readonly SrcsetSizing[] = [
    {},
    { aspectRatio: 1, fit: "crop" },
    { aspectRatio: 9 / 16, fit: "crop" },
    { aspectRatio: 3, fit: "crop" },
    { aspectRatio: 3 / 4, fit: "crop", widths: [500, 1000, 2000, 4000] },
  ];

  it.each(ORIGINALS.flatMap(([width, height]) => SHAPES.map((shape) => ({ width, height, shape }))))(
    "An original of $width by $height is never enlarged by $shape, and has the promised widths",
    ({ width: maxWidth, height: maxHeight, shape }) => {
      for (const variant of variantsOf({ ...shape, maxWidth, maxHeight })) {
        const { part, picture: made } = geometryOf({ width: maxWidth, height: maxHeight }, variant);
        expect(made.width).toBe(variant.promised);
        expect(made.width).toBeLessThanOrEqual(Math.ceil(part.width));
        expect(made.height).toBeLessThanOrEqual(Math.ceil(part.height));
      }
    },
  );

  it("A small original is offered in the largest grid size that does not enlarge it", () => {
    expect(srcset(URL_OF_IMAGE, { maxWidth: 200, maxHeight: 3000 })).toBe(`${URL_OF_IMAGE}?w=192 192w`);
    expect(srcset(URL_OF_IMAGE, { maxWidth: 10, maxHeight: 10 })).toBe("");
    expect(picture(URL_OF_IMAGE, { maxWidth: 10 }).img).toEqual({ src: URL_OF_IMAGE, srcset: "" });
  });
});
