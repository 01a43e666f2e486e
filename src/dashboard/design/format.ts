const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"] as const;
const STEP = 1024;
const LOCALE = "en-GB";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const COUNT = new Intl.NumberFormat("en");
const PLURAL = new Intl.PluralRules("en");

/** 3,145,728 -> "3 MB"; 1 MB is 1,048,576 bytes, as in the service's messages. */
export function formatBytes(bytes: number): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / STEP ** power;
  // 1,023.9 KB is not written as 1,024 KB.
  if (power > 0 && power < UNITS.length - 1 && Math.round(value) === STEP) return `1 ${UNITS[power + 1]}`;
  return `${(power === 0 || value >= 100 ? WHOLE : TENTHS).format(value)} ${UNITS[power]}`;
}

/** 18204 -> "18,204". */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** 1, "file" -> "1 file"; 1204, "file" -> "1,204 files". */
export function formatPlural(count: number, one: string, other = `${one}s`): string {
  return `${formatCount(count)} ${PLURAL.select(count) === "one" ? one : other}`;
}

const DAY = { day: "numeric", year: "numeric" } as const;
/** Making one takes longer than a hundred uses of it. */
const DATES = {
  long: new Intl.DateTimeFormat(LOCALE, { ...DAY, month: "long" }),
  short: new Intl.DateTimeFormat(LOCALE, { ...DAY, month: "short" }),
  time: new Intl.DateTimeFormat(LOCALE, { ...DAY, month: "short", hour: "2-digit", minute: "2-digit" }),
};

/** "21 November 2026", in the reader's time zone. @param style `time` adds hours and minutes; `short`: "21 Nov 2026" */
export function formatDate(date: string | number | Date, style: keyof typeof DATES = "long"): string {
  return DATES[style].format(new Date(date));
}

/** 73,400 ms -> "1:13"; 3,725,000 ms -> "1:02:05". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

const RELATIVE = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "2 minutes ago", "yesterday", "in 12 days". @param now milliseconds since 1970 */
export function formatRelative(date: string | number | Date, now = Date.now()): string {
  const ms = new Date(date).getTime() - now;
  const [unit, unitMs] = RELATIVE.find(([, each]) => Math.abs(ms) >= each) ?? (["second", 1000] as const);
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return unit === "second" ? "just now" : format.format(Math.round(ms / unitMs), unit);
}

/** Cuts a long text in its middle, so that a file's ending is seen: "Screenshot...12-7.png". */
export function cutMiddle(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const end = Math.min(Math.floor(most / 2), 10);
  return `${characters.slice(0, most - end - 1).join("")}…${characters.slice(-end).join("")}`;
}
