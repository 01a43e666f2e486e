import { describe, expect, it } from "vitest";
import { GRID_WIDTHS } from "../../../../src/domain/variants/grid.ts";
import { parseVariant } from "../../../../src/domain/variants/parse-variant.ts";
import { variantFor, variantName } from "../../../../src/domain/variants/variant.ts";
import { geometryOf } from "../../../../src/domain/variants/variant-geometry.ts";

/** The name of the variant that a query asks for. */
function nameOf(query: string, sourceType = "image/jpeg", webp = false, avif = false, hasProcessor = true): string {
  const parsed = parseVariant(query);
  if (parsed === undefined || "errors" in parsed) throw new Error(JSON.stringify(parsed));
  return variantName(variantFor(parsed.request, { sourceType, accepted: { webp, avif }, hasProcessor }));
}

describe("names of variants", () => {
  it.each([
    ["w=640", "w640-q75.jpg"],
    ["w=600&q=71", "w640-q75.jpg"],
    ["w=300&dpr=2", "w640-q75.jpg"],
    ["width=640&quality=75&format=jpeg", "w640-q75.jpg"],
    ["w=640&h=480&fit=crop", "w640-h480-crop-at0.5x0.5-q75.jpg"],
    ["w=600&h=450&fit=crop&crop=top,left", "w640-h480-crop-at0x0-q75.jpg"],
    ["w=640&h=480&fit=crop&crop=focalpoint&fp-x=0.333&fp-y=1", "w640-h480-crop-at0.33x1-q75.jpg"],
    ["w=640&fit=crop", "w640-q75.jpg"],
    ["w=640&h=480&fit=min", "w640-h480-min-at0.5x0.5-q75.jpg"],
    ["w=640&fit=max", "w640-q75.jpg"],
    ["fm=png&w=64", "w64.png"],
    ["auto=compress&w=64", "w64-q60.jpg"],
    ["flip=h&rot=90", "q75-fliph-rot90.jpg"],
    ["w=64&bg=f00", "w64-q75-bgff0000ff.jpg"],
  ])("The query %s names the variant %s", (query, name) => {
    expect(nameOf(query)).toBe(name);
  });

  it("The order of parameters and unknown parameters do not change the variant", () => {
    expect(nameOf("fit=crop&utm=x&h=480&w=640")).toBe(nameOf("w=640&h=480&fit=crop"));
  });

  it.each([
    ["image/jpeg", false, "w64-q75.jpg"],
    ["image/png", false, "w64.png"],
    ["image/gif", false, "w64.png"],
    ["image/webp", false, "w64.png"],
    ["image/png", true, "w64-q75.webp"],
  ])("A source of %s for a client that accepts WebP (%s) becomes %s with `auto=format`", (type, webp, name) => {
    expect(nameOf("w=64&auto=format", type, webp)).toBe(name);
  });

  it("Strangers get at most 42 widths and 20 qualities of a picture", () => {
    const widths = Array.from({ length: 9000 }, (_, i) => nameOf(`w=${i + 1}`));
    expect(new Set(widths).size).toBe(GRID_WIDTHS.length);
    const qualities = Array.from({ length: 100 }, (_, i) => nameOf(`w=64&q=${i + 1}`));
    expect(new Set(qualities).size).toBe(20);
  });

  it("The name of a variant contains only characters that a key and a URL may have", () => {
    expect(nameOf("w=1.5&h=9999&fit=fill&bg=80ffffff&rect=0.5,1,2,3&blur=7&flip=hv&rot=270&q=1")).toMatch(
      /^[a-z0-9.-]+$/,
    );
  });
});

describe("geometry of variants", () => {
  const request = (query: string) => {
    const parsed = parseVariant(query);
    if (parsed === undefined || "errors" in parsed) throw new Error(JSON.stringify(parsed));
    return variantFor(parsed.request, { sourceType: "image/jpeg", accepted: { webp: false, avif: false } });
  };

  it.each([
    ["w=128", { width: 128, height: 64 }],
    ["h=128", { width: 256, height: 128 }],
    ["w=128&h=128", { width: 128, height: 64 }],
    ["w=4000", { width: 1000, height: 500 }],
    ["w=128&h=128&fit=crop", { width: 128, height: 128 }],
    ["w=2048&h=2048&fit=crop", { width: 2048, height: 2048 }],
    ["w=128&h=128&fit=min", { width: 128, height: 128 }],
    ["w=2048&h=2048&fit=min", { width: 500, height: 500 }],
    ["w=2048&h=512&fit=min", { width: 1000, height: 250 }],
    ["w=1&h=8000", { width: 1, height: 1 }],
    ["w=99999&h=99999&fit=scale", { width: 8192, height: 8192 }],
  ])("The query %s of a picture of 1000 by 500 pixels gives %j", (query, size) => {
    expect(geometryOf({ width: 1000, height: 500 }, request(query)).canvas).toMatchObject(size);
  });

  it("A crop stays inside the picture for any point", () => {
    for (const x of [0, 0.1, 0.5, 0.93, 1]) {
      const { part } = geometryOf(
        { width: 1000, height: 500 },
        request(`w=128&h=128&fit=crop&crop=focalpoint&fp-x=${x}`),
      );
      expect(part).toMatchObject({ width: 500, height: 500, top: 0 });
      expect(part.left).toBe(Math.min(500, Math.max(0, 1000 * x - 250)));
    }
  });

  it("A rectangle beyond the picture shows the whole picture; one across its edge is cut off there", () => {
    expect(geometryOf({ width: 1000, height: 500 }, request("rect=2000,0,10,10&w=10")).part).toMatchObject({
      left: 0,
      width: 1000,
    });
    expect(geometryOf({ width: 1000, height: 500 }, request("rect=900,400,500,500&w=10")).part).toEqual({
      left: 900,
      top: 400,
      width: 100,
      height: 100,
    });
  });
});
