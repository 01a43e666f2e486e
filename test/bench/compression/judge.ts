import type { MediaType } from "../../../src/domain/media-types.ts";
import { reportFigure, reportTarget, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";
import type { Quality } from "./quality.ts";
import type { Comparison } from "./speed.ts";

export type Measured = Comparison & { readonly quality: Quality | undefined };

/** Medians over the images of a type. Images that neither side compressed are left out: there is nothing to compare. */
export function judgeSpeed(measured: readonly Measured[]): Target[] {
  return [
    ...judgeType("JPEG", "image/jpeg", measured, { bytes: 101, seconds: 0.25 }),
    ...judgeQuality(measured),
    ...judgeType("PNG", "image/png", measured, { bytes: 97, seconds: 1.5 }),
    ...judgeEachPng(measured),
    ...judgeType("WebP", "image/webp", measured, { bytes: 102, seconds: 1.3 }),
  ];
}

export function bytesRatio({ product, sharp }: Comparison): number {
  return product.file.length / sharp.file.length;
}

export function secondsRatio({ product, sharp }: Comparison): number {
  return product.seconds / sharp.seconds;
}

function judgeType(
  name: string,
  wanted: MediaType,
  measured: readonly Measured[],
  atMost: { readonly bytes: number; readonly seconds: number },
): Target[] {
  const done = ofType(wanted, measured);
  const inIsolate = done.filter(({ product }) => product.doneBy === "isolate");
  const targets = [
    reportTarget({ name: `${name} bytes`, value: 100 * median(done.map(bytesRatio)), atMost: atMost.bytes, unit: "%" }),
    reportTarget({ name: `${name} time`, value: median(done.map(secondsRatio)), atMost: atMost.seconds, unit: "x" }),
  ];
  if (inIsolate.length > 0 && inIsolate.length < done.length) {
    reportFigure("  in the isolate", 100 * median(inIsolate.map(bytesRatio)), "%");
    reportFigure("  in the isolate", median(inIsolate.map(secondsRatio)), "x");
  }
  const first = done.map(({ product, sharp }) => product.firstSeconds / sharp.seconds);
  if (wanted === "image/jpeg")
    targets.push(reportTarget({ name: `${name}, first image`, value: median(first), atMost: 0.2, unit: "x" }));
  else reportFigure("  first image", median(first), "x");
  return targets;
}

function judgeQuality(measured: readonly Measured[]): Target[] {
  const differences = ofType("image/jpeg", measured).flatMap(({ quality }) =>
    quality === undefined ? [] : [1000 * (quality.product - quality.sharp)],
  );
  if (differences.length === 0) return [];
  return [reportTarget({ name: "JPEG SSIM - sharp's", value: median(differences), atLeast: -3, unit: "thousandths" })];
}

function judgeEachPng(measured: readonly Measured[]): Target[] {
  const done = ofType("image/png", measured);
  const slowest = (megapixels: number) =>
    Math.max(...done.filter(({ source }) => Math.round(source.megapixels) === megapixels).map(secondsRatio));
  return [
    reportTarget({
      name: "PNG bytes, largest",
      value: 100 * Math.max(...done.map(bytesRatio)),
      atMost: 100,
      unit: "%",
    }),
    reportTarget({ name: "PNG time, 4 MP", value: slowest(4), atMost: 1.5, unit: "x" }),
    reportTarget({ name: "PNG time, 24 MP", value: slowest(24), atMost: 1.5, unit: "x" }),
  ];
}

function ofType(wanted: MediaType, measured: readonly Measured[]): Measured[] {
  return measured.filter(({ source, product }) => source.type === wanted && product.doneBy !== "nobody");
}
