/** The named levels of compression (specification, Account settings). */
export const QUALITY_LEVELS = [
  { id: "high", title: "High", quality: 80 },
  { id: "balanced", title: "Balanced", quality: 65 },
  { id: "optimized", title: "Optimized", quality: 50 },
] as const;

export const MIN_QUALITY = 50;
export const MAX_QUALITY = 100;

/** @returns the number that was typed, or undefined where it is none that the service takes */
export function parseQuality(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d{2,3}$/.test(trimmed)) return undefined;
  const quality = Number(trimmed);
  return quality >= MIN_QUALITY && quality <= MAX_QUALITY ? quality : undefined;
}

/** How much smaller a file became: `71 % smaller`; undefined where it did not. */
export function savingInWords(before: number, after: number, locale = "en-GB"): string | undefined {
  if (before <= 0 || after >= before) return undefined;
  const share = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  return `${share.format(Math.min(0.99, 1 - after / before))} smaller`;
}
