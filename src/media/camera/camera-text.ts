/** Longer names are cut. */
const MAX_CHARACTERS = 100;
/** Years that cameras can know. A camera whose clock was never set writes zeros. */
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

/** A name as cameras write it: up to the first NUL, without control characters, with single spaces. Null if nothing is left. */
export function toName(bytes: Uint8Array): string | null {
  const end = bytes.indexOf(0);
  const text = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  const name = text.replace(/[\p{C}\s\ufffd]+/gu, " ").trim();
  return name === "" ? null : Array.from(name).slice(0, MAX_CHARACTERS).join("").trim();
}

/** Maker and model. Many models begin with their maker. */
export function joinNames(maker: string | null, model: string | null): string | null {
  if (maker === null || model === null) return model ?? maker;
  const [first = ""] = maker.toLowerCase().split(" ");
  if (model.toLowerCase().startsWith(first)) return model;
  return Array.from(`${maker} ${model}`).slice(0, MAX_CHARACTERS).join("").trim();
}

const TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const OFFSET = /^([+-])(\d\d):?(\d\d)$/;

/**
 * The time of a text such as `2026:05:01 12:00:00` (Exif 2.32, 4.6.5) or `2026-05-01T12:00:00+0200` (QuickTime).
 * @param offset `+02:00`; without one, the clock is read as UTC
 * @returns milliseconds since the epoch; null for a time that does not exist
 */
export function toTime(text: string, offset = ""): number | null {
  const [, year, month, day, hour, minute, second] = (TIME.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || year < FIRST_YEAR || year > LAST_YEAR) return null;
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCHours() === hour;
  return isReal ? at.getTime() - offsetMs(offset.trim()) : null;
}

/** No place is farther from UTC than 14 hours. */
function offsetMs(text: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return ms > 14 * 3_600_000 ? 0 : sign === "-" ? -ms : ms;
}
