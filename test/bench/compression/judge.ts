import type { MediaType } from "../../../src/domain/media-types.ts";
import { reportFigure, reportTarget, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";
import type { Quality } from "./quality.ts";
import type { Comparison } from "./speed.ts";

export type Measured = Comparison & { readonly quality: Quality | undefined };

/** Medians over the images of a type. What nobody has compressed is left out: there is nothing to compare. */
export function judgeSpeed(measured: readonly Measured[]): Target[] {
  return [
    ...judgeType("JPEG", "image/jpeg", measured, { bytes: 101, seconds: 0.25 }),
    ...judgeQuality(measured),
    ...judgeType("PNG", "image/png", measured, { bytes: 95, seconds: 4 }),
    ...judgeSlowestPng(measured),
    ...judgeType("WebP", "image/webp", measured, { bytes: 102, seconds: 1.5 }),
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
  if (inIsolate.length < done.length) {
    reportFigure("  in the isolate", 100 * median(inIsolate.map(bytesRatio)), "%");
    reportFigure("  in the isolate", median(inIsolate.map(secondsRatio)), "x");
  }
  const first = done.map(({ product, sharp }) => product.firstSeconds / sharp.seconds);
  reportFigure("  first image", median(first), "x");
  return targets;
}

function judgeQuality(measured: readonly Measured[]): Target[] {
  const differences = ofType("image/jpeg", measured).flatMap(({ quality }) =>
    quality === undefined ? [] : [1000 * (quality.product - quality.sharp)],
  );
  if (differences.length === 0) return [];
  return [reportTarget({ name: "JPEG SSIM - sharp's", value: median(differences), atLeast: -3, unit: "thousandths" })];
}

function judgeSlowestPng(measured: readonly Measured[]): Target[] {
  const seconds = ofType("image/png", measured)
    .filter(({ source }) => source.megapixels <= 4)
    .flatMap(({ product }) => [product.seconds, product.firstSeconds]);
  return [reportTarget({ name: "PNG up to 4 MP", value: Math.max(...seconds), atMost: 4, unit: "s" })];
}

function ofType(wanted: MediaType, measured: readonly Measured[]): Measured[] {
  return measured.filter(({ source, product }) => source.type === wanted && product.doneBy !== "nobody");
}
