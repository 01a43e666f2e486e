import { median, type Pairs } from "./rounds.ts";

/** A figure with a lower or upper limit. */
export interface Target {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly unit?: string;
}

export function isMet({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Target): boolean {
  return value >= atLeast && value <= atMost;
}

/** Both sides' median and spread, the ratio of each pair, and the target for the ratios' median. */
export function reportRatio(unit: string, { product, bare }: Pairs, limit: Pick<Target, "atLeast" | "atMost">): Target {
  const ratios = product.map((value, index) => value / (bare[index] ?? Number.NaN));
  reportSpread("product", product, unit);
  reportSpread("bare", bare, unit);
  console.log(`  ratio of each pair  ${ratios.map((ratio) => ratio.toFixed(2)).join("  ")}`);
  return reportTarget({ name: "median ratio", value: median(ratios), ...limit });
}

export function reportSpread(name: string, values: readonly number[], unit: string): void {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map(format);
  console.log(`  ${name.padEnd(18)}  ${middle} ${unit}  (${low} to ${high})`);
}

export function reportFigure(name: string, value: number, unit: string): void {
  console.log(`  ${name.padEnd(18)}  ${format(value)} ${unit}`);
}

export function reportTarget(target: Target): Target {
  const { name, value, atLeast, atMost, unit = "" } = target;
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  const verdict = isMet(target) ? "met" : "MISSED";
  console.log(`  ${name.padEnd(18)}  ${format(value)}${pad(unit)}  target: ${limit}${pad(unit)}  ${verdict}`);
  return target;
}

function pad(unit: string): string {
  return unit === "" ? "" : ` ${unit}`;
}

function format(value: number): string {
  return value.toFixed(value >= 1000 ? 0 : value >= 20 ? 1 : 2);
}
