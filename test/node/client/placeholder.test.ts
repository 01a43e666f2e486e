import sharp from "sharp";
import { rgbaToThumbHash, thumbHashToRGBA } from "thumbhash";
import { expect, it } from "vitest";
import { placeholderStyle, thumbHashToDataURL } from "../../../src/client/images.ts";
import { photo } from "../../support/media/pictures.ts";
import { thumbHashOf } from "../../support/media/placeholders.ts";

it("`thumbHashToDataURL` is a small PNG of the picture's shape and colours", async () => {
  const picture = sharp({ create: { width: 300, height: 150, channels: 3, background: "#c04020" } });
  const url = thumbHashToDataURL(await thumbHashOf(await picture.png().toBuffer()));
  const [start, data = ""] = url.split(",");
  expect(start).toBe("data:image/png;base64");
  const { data: pixels, info } = await sharp(Buffer.from(data, "base64")).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 32, channels: 4 });
  expect(info.height).toBeLessThan(20);
  for (const [channel, value] of [0xc0, 0x40, 0x20].entries())
    expect(Math.abs((pixels[channel] ?? 0) - value)).toBeLessThan(12);
});

it("The picture is that of the package `thumbhash`, for every shape, with and without transparency", async () => {
  const shapes: [number, number][] = [
    [300, 150],
    [90, 160],
    [100, 100],
    [400, 60],
    [60, 400],
  ];
  for (const [width, height] of shapes) {
    for (const transparent of [false, true]) {
      const opaque = await photo(width, height).png().toBuffer();
      const hole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="20" cy="20" r="30"/></svg>`;
      const picture = transparent
        ? sharp(
            await sharp(opaque)
              .ensureAlpha()
              .composite([{ input: Buffer.from(hole), blend: "dest-out" }])
              .png()
              .toBuffer(),
          )
        : sharp(opaque);
      const { data, info } = await picture
        .resize(90, 90, { fit: "inside" })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const hash = rgbaToThumbHash(info.width, info.height, data);
      const expected = thumbHashToRGBA(hash);
      const url = thumbHashToDataURL(Buffer.from(hash).toString("base64"));
      const actual = await sharp(Buffer.from(url.split(",")[1] ?? "", "base64"))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(actual.info).toMatchObject({ width: expected.w, height: expected.h, channels: 4 });
      const differences = Array.from(expected.rgba, (value, at) => Math.abs(value - (actual.data[at] ?? 0)));
      expect(Math.max(...differences)).toBeLessThanOrEqual(1);
    }
  }
});

it("`placeholderStyle` is a background of colour and picture, and empty without a placeholder", async () => {
  const thumbHash = await thumbHashOf(sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } }));
  const picture = `url(${thumbHashToDataURL(thumbHash)}) 0 0/100% 100% no-repeat`;
  expect(placeholderStyle({ thumbHash, dominantColor: "#ffffff" })).toBe(`background:#ffffff ${picture}`);
  expect(placeholderStyle({ thumbHash, dominantColor: null })).toBe(`background:${picture}`);
  expect(placeholderStyle({ thumbHash: null, dominantColor: null })).toBe("");
});
