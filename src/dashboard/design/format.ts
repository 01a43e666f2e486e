const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"] as const;
const STEP = 1024;
/**
 * Numbers and dates are formatted without `Intl`, in English like the rest of the dashboard: a page's first use of `Intl` takes 30 ms, too
 * long for the first load of the library.
 */
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
] as const;

/** 3,145,728 -> "3 MB". 1 MB is 1,048,576 bytes, as in the service's messages. */
export function formatBytes(bytes: number): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / STEP ** power;
  // 1,023.9 KB is "1 MB", not "1,024 KB".
  if (power > 0 && power < UNITS.length - 1 && Math.round(value) === STEP) return `1 ${UNITS[power + 1]}`;
  return `${formatCount(value >= 100 ? Math.round(value) : Number(value.toFixed(1)))} ${UNITS[power]}`;
}

/** 18204 -> "18,204". */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 1, "file" -> "1 file"; 1204, "file" -> "1,204 files". */
export function formatPlural(count: number, one: string, other = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : other}`;
}

/** "21 November 2026", in the reader's time zone. @param style `time` is "21 Nov 2026, 14:03"; `short`: "21 Nov 2026" */
export function formatDate(date: string | number | Date, style: "long" | "short" | "time" = "long"): string {
  const at = new Date(date);
  const month = MONTHS[at.getMonth()] ?? "";
  const day = `${at.getDate()} ${style === "long" ? month : month.slice(0, 3)} ${at.getFullYear()}`;
  return style === "time" ? `${day}, ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}` : day;
}

/** "2023-12" -> "December 2023". @param month YYYY-MM */
export function formatMonth(month: string): string {
  return `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** 73,400 ms -> "1:13"; 3,725,000 ms -> "1:02:05". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : twoDigits(part))).join(":");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Texts in which each code unit is a character. */
const SIMPLE = /^[ -\u02ff]*$/;
let segmenter: Intl.Segmenter | undefined;

/** The visible characters of a text. An emoji of several code points is one character. */
export function toCharacters(text: string): string[] {
  if (SIMPLE.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Shortens a long text in the middle, so that a file's extension stays visible: "Screenshot...12-7.png". */
export function cutMiddle(text: string, most: number): string {
  const characters = toCharacters(text);
  if (characters.length <= most) return text;
  const end = Math.min(Math.floor(most / 2), 10);
  return `${characters.slice(0, most - end - 1).join("")}…${characters.slice(-end).join("")}`;
}

/** Isolates a name within a sentence: a right-to-left name does not reorder the words around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
