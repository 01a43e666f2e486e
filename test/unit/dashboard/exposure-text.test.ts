import { expect, it } from "vitest";
import { toExposureText } from "../../../src/dashboard/file/exposure-text.ts";

const NONE = { shutterSeconds: null, aperture: null, iso: null, focalLengthMm: null };

it.each([
  [{ shutterSeconds: 0.004, aperture: 2.8, iso: 400, focalLengthMm: 35 }, "1/250 s · f/2.8 · ISO 400 · 35 mm"],
  [{ ...NONE, shutterSeconds: 0.000125, aperture: 1.78 }, "1/8000 s · f/1.8"],
  [{ ...NONE, shutterSeconds: 0.333333 }, "0.3 s"],
  [{ ...NONE, shutterSeconds: 30, focalLengthMm: 6.765 }, "30 s · 6.8 mm"],
])("The exposure %j is written %j", (exposure, text) => {
  expect(toExposureText(exposure)).toBe(text);
});
