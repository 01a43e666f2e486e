import { toHumanSize } from "./human-size.ts";
import { TIER_NAMES, TIERS } from "./tiers.ts";

/** Tables of docs/ and of the API's description, in Markdown, generated from the code's constants. */

/** The tiers (LIM-1). */
export function tierTable(): string {
  const rows = TIER_NAMES.map((name) => {
    const { keyKind, storageBytes, operationsPerMonth, requestsPerMinute } = TIERS[name];
    const numbers = [operationsPerMonth, requestsPerMinute].map((number) => number.toLocaleString("en"));
    return [
      name[0]?.toUpperCase() + name.slice(1),
      keyKind === "api" ? "API keys" : "one upload key",
      toHumanSize(storageBytes),
      ...numbers,
    ];
  });
  return toTable(["tier", "keys", "storage", "operations a month", "requests a minute"], rows);
}

/** Columns are padded as Markdown formatters do. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
