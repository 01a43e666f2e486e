import { formatPlural } from "../design/format.ts";

/** "1,204 files". */
export function files(count: number): string {
  return formatPlural(count, "file");
}
