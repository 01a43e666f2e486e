/** A day of a chart, with the values of its stacked parts from bottom to top. */
export interface ChartDay {
  /** `2026-11-21`, UTC, or an hour's start in ISO 8601. */
  readonly date: string;
  readonly values: readonly number[];
}

export interface ChartSeries {
  readonly title: string;
  readonly tone: "accent" | "soft" | "danger";
  /** A day's value as text, which may differ from the drawn value: "3,400 views". */
  readonly toWords: (value: number) => string;
}

interface Bar {
  readonly x: number;
  readonly width: number;
  /** A rectangle for each value except 0. */
  readonly parts: readonly { readonly series: number; readonly y: number; readonly height: number }[];
}

interface BarLayout {
  /** The value of the scale's highest line. */
  readonly top: number;
  /** The values of all lines, from 0. */
  readonly lines: readonly number[];
  readonly bars: readonly Bar[];
}

/** Pixels: keeps the smallest values visible. */
const LEAST_HEIGHT = 2;
const LINES = 4;
const WIDEST_BAR = 28;
/** Round steps, as multiples of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/** Lays out the days in a box of this width and height; y grows downwards. */
export function layOutBars(days: readonly ChartDay[], width: number, height: number): BarLayout {
  const highest = Math.max(0, ...days.map(({ values }) => sum(values)));
  const lines = toLines(highest);
  const top = lines.at(-1) ?? 1;
  const slot = days.length === 0 ? width : width / days.length;
  const barWidth = Math.min(WIDEST_BAR, Math.max(1, slot * 0.72));
  const bars = days.map(({ values }, index) => ({
    x: index * slot + (slot - barWidth) / 2,
    width: barWidth,
    parts: toParts(values, height / top, height),
  }));
  return { top, lines, bars };
}

function toParts(values: readonly number[], scale: number, height: number): Bar["parts"] {
  const parts: { series: number; y: number; height: number }[] = [];
  let y = height;
  for (const [series, value] of values.entries()) {
    if (value <= 0) continue;
    const part = Math.max(LEAST_HEIGHT, value * scale);
    y -= part;
    parts.push({ series, y: Math.max(0, y), height: part });
  }
  return parts;
}

/** The lines of a scale: 0 and at most four round values. The last line is at or above the highest value. */
export function toLines(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const exact = highest / LINES;
  const power = 10 ** Math.floor(Math.log10(exact));
  const step = (STEPS.find((candidate) => candidate * power >= exact * (1 - 1e-9)) ?? 10) * power;
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The index of the day at a point; undefined if there are no days. @param x from 0 to width */
export function dayAt(x: number, width: number, count: number): number | undefined {
  if (count === 0) return undefined;
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}

/** The indexes of the days with a label: the last day, and earlier days at even distances. */
export function labelledDays(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step).reverse();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
