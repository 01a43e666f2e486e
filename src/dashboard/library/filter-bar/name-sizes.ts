import { formatBytes } from "../../design/format.ts";

/** "10 MB or more". @param min bytes */
export function nameSizes(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `Up to ${formatBytes(max ?? 0)}`;
  return max === undefined ? `${formatBytes(min)} or more` : `${formatBytes(min)} to ${formatBytes(max)}`;
}
