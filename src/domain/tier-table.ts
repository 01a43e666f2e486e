import { toHumanSize } from "./human-size.ts";
import { TIER_NAMES, TIERS } from "./tiers.ts";
import { toTable } from "./to-table.ts";

/** The tiers (LIM-1) as a table in Markdown, for docs/ and the API's description. */
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
