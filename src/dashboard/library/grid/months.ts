/** The ruler's scale: a band for each month that has files, in positions of the view. Bands are in the view's order, by default newest first. */

export interface Month {
  /** YYYY-MM. */
  readonly key: string;
  readonly count: number;
}

export interface Band extends Month {
  /** The position of its newest file. */
  readonly start: number;
  /** The length of its bar: 1 for the fullest month. */
  readonly share: number;
  /** Whether it is the first band of its year from the top, which shows the year. */
  readonly isFirstOfYear: boolean;
}

export function toBands(months: readonly Month[]): Band[] {
  const most = months.reduce((max, { count }) => Math.max(max, count), 1);
  let start = 0;
  let year = "";
  return months
    .filter(({ count }) => count > 0)
    .map(({ key, count }) => {
      const band = {
        key,
        count,
        start,
        share: count / most,
        isFirstOfYear: !key.startsWith(year) || year === "",
      };
      start += count;
      year = key.slice(0, 4);
      return band;
    });
}

/** @returns the index of the band that contains a position; undefined without bands */
export function bandAt(bands: readonly Band[], position: number): number | undefined {
  if (bands.length === 0) return undefined;
  let low = 0;
  let high = bands.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bands[middle] as Band).start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The place of a position on the ruler, from 0 to 1. Without bands it is proportional. */
export function placeOf(bands: readonly Band[], position: number, total: number): number {
  const at = bandAt(bands, position);
  if (at === undefined) return total === 0 ? 0 : Math.min(1, position / total);
  const { start, count } = bands[at] as Band;
  return (at + Math.min(1, (position - start) / count)) / bands.length;
}

/** The position at a place of the ruler: the reverse of `placeOf`. */
export function positionAt(bands: readonly Band[], place: number, total: number): number {
  const inside = Math.min(1, Math.max(0, place));
  if (bands.length === 0) return Math.round(inside * Math.max(0, total - 1));
  const at = Math.min(bands.length - 1, Math.floor(inside * bands.length));
  const { start, count } = bands[at] as Band;
  return Math.min(Math.max(0, total - 1), Math.floor(start + (inside * bands.length - at) * count));
}

/** @param by 1 for an older month, -1 for a newer one @returns the position of that month's newest file */
export function monthFrom(bands: readonly Band[], position: number, by: 1 | -1): number {
  const at = bandAt(bands, position);
  if (at === undefined) return position;
  const { start } = bands[at] as Band;
  if (by < 0 && position > start) return start;
  return bands[Math.min(bands.length - 1, Math.max(0, at + by))]?.start ?? position;
}

/** @returns the position of the newest file of the next older or newer year */
export function yearFrom(bands: readonly Band[], position: number, by: 1 | -1): number {
  const at = bandAt(bands, position);
  if (at === undefined) return position;
  const starts = bands.filter(({ isFirstOfYear }) => isFirstOfYear).map(({ start }) => start);
  const below = starts.filter((start) => (by > 0 ? start > position : start < position));
  return (by > 0 ? below[0] : below.at(-1)) ?? (by > 0 ? (bands.at(-1) as Band).start : 0);
}
