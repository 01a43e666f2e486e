import sharp from "sharp";
import { expect, it } from "vitest";
import { placeholderStyle, thumbHashToDataURL } from "../../../src/client/images.ts";
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

it("`placeholderStyle` is a background of colour and picture, and empty without a placeholder", async () => {
  const thumbHash = await thumbHashOf(sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } }));
  const picture = `url(${thumbHashToDataURL(thumbHash)}) 0 0/100% 100% no-repeat`;
  expect(placeholderStyle({ thumbHash, dominantColor: "#ffffff" })).toBe(`background:#ffffff ${picture}`);
  expect(placeholderStyle({ thumbHash, dominantColor: null })).toBe(`background:${picture}`);
  expect(placeholderStyle({ thumbHash: null, dominantColor: null })).toBe("");
});
