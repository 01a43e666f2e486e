import { readFile } from "node:fs/promises";
import type { Target } from "./support/report.ts";

/** A month of 30 days. */
const HOURS = 720;
/** Dollars an hour before the limits: the most that one caller's requests cost at the rate that the service then allowed. */
const BEFORE: Readonly<Record<string, string>> = {
  "tus `PATCH` of a byte": "0.218 (600 a minute, $6.06 a million)",
  "bulk change, each upload": "unbounded but for 60 requests a minute of 10,000 uploads",
  "compression preview, a CPU second": "unbounded but for one at a time in an isolate",
  "view, also of a stored variant": "unbounded",
  "range, `HEAD` or signed URL of a file": "unbounded",
};

/** `npm run bench -- abuse`: the cost of an hour of each attack, before and after its limit, by the figures that `test/api/costs` counts. */
export async function benchAbuse(): Promise<Target[]> {
  const page = await readFile("docs/operating/costs.md", "utf8");
  const begin = page.indexOf("## Abuse");
  const section = page.slice(begin, page.indexOf("\n## ", begin));
  for (const line of section
    .split("\n")
    .filter((each) => each.startsWith("| "))
    .slice(2)) {
    const [, request = "", payer, , month] = line.split("|").map((cell) => cell.trim());
    const before = BEFORE[request] ?? "as after";
    console.log(`${request} (${payer}): before ${before}; after $${(Number(month) / HOURS).toFixed(4)} an hour`);
  }
  return [];
}
