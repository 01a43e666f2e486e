const DAY_MS = 86_400_000;

/** When the month's operations start again, in words: `in 12 days, on 1 December`. Days are UTC's, as the service counts. */
export function resetInWords(resetAt: string, now: number, locale?: string): string {
  const at = Date.parse(resetAt);
  const days = Math.max(0, startOfDay(at) - startOfDay(now)) / DAY_MS;
  const distance = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  return `${distance}, on ${dayInWords(resetAt, locale)}`;
}

/** `1 December`, UTC, in the order of the reader's language. */
export function dayInWords(time: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.parse(time));
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** A part of a limit as people read it: `66 %`; what is little but not nothing is `< 1 %`, and nothing that is not all is `100 %`. */
export function percentInWords(part: number, whole: number, locale?: string): string {
  const share = whole <= 0 ? 0 : part / whole;
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(value);
  if (share > 0 && share < 0.01) return `< ${format(0.01)}`;
  return format(share < 1 ? Math.min(0.99, share) : share);
}

export interface StoragePart {
  readonly id: "images" | "videos" | "trash" | "files";
  readonly title: string;
  readonly bytes: number;
}

/** What the storage holds, in the order in which it is drawn; parts of no bytes are left out. What is in the trash still counts. */
export function storageParts(storage: {
  readonly used: number;
  readonly trashed: number;
  readonly images?: number | undefined;
  readonly videos?: number | undefined;
}): readonly StoragePart[] {
  const { used, trashed, images, videos } = storage;
  const trash: StoragePart = { id: "trash", title: "Trash", bytes: Math.min(used, trashed) };
  const kept: StoragePart[] =
    images === undefined || videos === undefined
      ? [{ id: "files", title: "Files", bytes: used - trash.bytes }]
      : [
          { id: "images", title: "Images", bytes: images },
          { id: "videos", title: "Videos", bytes: videos },
        ];
  return [...kept, trash].filter(({ bytes }) => bytes > 0);
}

/** The first day to ask for: of this billing month, or as far back as the service remembers. @returns `2026-11-01` */
export function firstDay(span: "month" | "all", resetAt: string, now: number): string {
  if (span === "all") return toDay(now - 90 * DAY_MS);
  const end = new Date(Date.parse(resetAt));
  // A month that ends on the 31st begins on the last day of a month that has none.
  const lastOfMonthBefore = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), 0)).getUTCDate();
  const day = Math.min(end.getUTCDate(), lastOfMonthBefore);
  return toDay(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, day));
}

/** `2026-11-21`, UTC. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
