/** The named levels of compression (COMP-1). */
export const QUALITY_LEVELS = [
  { id: "high", title: "High", quality: 80 },
  { id: "balanced", title: "Balanced", quality: 65 },
  { id: "optimized", title: "Optimized", quality: 50 },
] as const;

export const MIN_QUALITY = 50;
export const MAX_QUALITY = 100;

/** The typed number, or undefined if the service would reject it. */
export function parseQuality(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d{2,3}$/.test(trimmed)) return undefined;
  const quality = Number(trimmed);
  return quality >= MIN_QUALITY && quality <= MAX_QUALITY ? quality : undefined;
}

/** The saved share, rounded down: `70 % smaller`; undefined if the file is not smaller. */
export function savingInWords(before: number, after: number, locale = "en-GB"): string | undefined {
  if (before <= 0 || after >= before) return undefined;
  const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const percent = Math.floor((100 * (before - after)) / before);
  return percent === 0 ? `< ${share.format(0.01)} smaller` : `${share.format(percent / 100)} smaller`;
}
