import { describe, expect, it } from "vitest";
import {
  fit,
  isFit,
  pan,
  type Sizes,
  toggleZoom,
  type View,
  wheelFactor,
  zoomTo,
} from "../../../../src/dashboard/file/zoom.ts";

const MIDDLE = { x: 0, y: 0 };
const LARGE: Sizes = { frame: { width: 800, height: 600 }, picture: { width: 4000, height: 2000 }, pixelRatio: 1 };
const SMALL: Sizes = { ...LARGE, picture: { width: 200, height: 100 } };

describe("Zoom", () => {
  it.each([
    ["is wholly seen", LARGE, 0.2],
    ["is not enlarged", SMALL, 1],
    ["shows its pixels on a finer screen", { ...SMALL, pixelRatio: 2 }, 0.5],
    ["of unknown size is left alone", { ...LARGE, picture: { width: 0, height: 0 } }, 1],
  ])("A picture %s", (_, sizes, scale) => {
    expect(fit(sizes)).toEqual({ scale, ...MIDDLE });
  });

  it.each<[string, Sizes, number]>([
    ["goes to its own pixels", LARGE, 1],
    ["that fits at its own size is doubled", SMALL, 2],
    ["has its own pixels on a finer screen", { ...LARGE, pixelRatio: 2 }, 0.5],
  ])("A picture %s by a key, and back by the same key", (_, sizes, scale) => {
    const near = toggleZoom(fit(sizes), MIDDLE, sizes);
    expect(near.scale).toBeCloseTo(scale);
    expect(isFit(near, sizes)).toBe(false);
    expect(toggleZoom(near, MIDDLE, sizes)).toEqual(fit(sizes));
  });

  it("A picture is enlarged at most eight times and never shrunk below the size that fits", () => {
    expect(zoomTo(fit(LARGE), 100, MIDDLE, LARGE).scale).toBe(8);
    expect(zoomTo(fit(LARGE), 0.001, MIDDLE, LARGE)).toEqual(fit(LARGE));
  });

  it("A picture is enlarged about the pointer: the point under it stays there", () => {
    const at = { x: 100, y: -50 };
    const under = (view: View) => [(at.x - view.x) / view.scale, (at.y - view.y) / view.scale];
    const before = zoomTo(fit(LARGE), 0.5, MIDDLE, LARGE);
    const after = zoomTo(before, 2, at, LARGE);
    expect(under(after)[0]).toBeCloseTo(under(before)[0] ?? 0);
    expect(under(after)[1]).toBeCloseTo(under(before)[1] ?? 0);
  });

  it("A picture cannot be pushed out of its frame, nor moved if it is wholly visible", () => {
    const near = zoomTo(fit(LARGE), 1, MIDDLE, LARGE);
    expect(pan(near, 99_999, -99_999, LARGE)).toEqual({ scale: 1, x: (4000 - 800) / 2, y: -(2000 - 600) / 2 });
    expect(pan(fit(LARGE), 50, 50, LARGE)).toEqual(fit(LARGE));
    const [tall] = [{ ...LARGE, picture: { width: 500, height: 1200 } }];
    const view = zoomTo(fit(tall), 1, MIDDLE, tall);
    expect(pan(view, 50, 50, tall)).toMatchObject({ x: 0, y: 50 });
  });
});

it("A wheel upwards enlarges, in any unit; a large jump counts as one turn", () => {
  expect(wheelFactor(-100, 0, false)).toBeGreaterThan(1);
  expect(wheelFactor(100, 0, false)).toBeLessThan(1);
  expect(wheelFactor(-3, 1, false)).toBeCloseTo(wheelFactor(-48, 0, false));
  expect(wheelFactor(-100_000, 0, false)).toBe(wheelFactor(-400, 0, false));
});
