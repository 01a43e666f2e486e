const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** A size for people, in units of 1,024: `512 B`, `1.5 MB`. */
export function toHumanSize(sizeBytes: number): string {
  let value = sizeBytes;
  let unit = 0;
  // The rounded value is compared, so that 1,048,575 bytes are 1 MB and not 1024 KB.
  while (unit < UNITS.length - 1 && toTenths(value) >= 1024) {
    value /= 1024;
    unit += 1;
  }
  return `${toTenths(value)} ${UNITS[unit]}`;
}

function toTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
