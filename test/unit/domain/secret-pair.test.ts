import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { OLDER_VALUE_DAYS, readSecret, type SecretName } from "../../../src/domain/secret-pair.ts";

const DAY_MS = 86_400_000;
const OLD = "0123456789abcdef";
const FROM = 1_800_000_000_000;
const FRESH = `${FROM / 1000}.fresh`;
const LATER = `${FROM / 1000 + 86_400}.later`;

function read(first: string, second: string | undefined, now: number, name: SecretName = "JWT_SECRET") {
  const bindings = { [name]: first, ...(second !== undefined && { [`${name}_2`]: second }) };
  return readSecret(bindings as Parameters<typeof readSecret>[0], name, now);
}

describe("A secret with two values", () => {
  it("A secret without a second value has one value", () => {
    for (const second of [undefined, "", OLD]) {
      expect(read(OLD, second, FROM)).toEqual({ current: OLD, accepted: [OLD] });
    }
  });

  it("The new value is accepted before its time and signs from its time on, in either slot", () => {
    for (const [first, second] of [
      [OLD, FRESH],
      [FRESH, OLD],
    ] as const) {
      expect(read(first, second, FROM - 1)).toEqual({ current: OLD, accepted: [OLD, FRESH] });
      expect(read(first, second, FROM)).toEqual({ current: FRESH, accepted: [FRESH, OLD] });
    }
    expect(read(LATER, FRESH, FROM + DAY_MS).current).toBe(LATER);
    expect(read(LATER, FRESH, FROM + DAY_MS - 1).current).toBe(FRESH);
    // Both values sign later: the value whose time comes first signs already.
    expect(read(LATER, FRESH, FROM - 1).current).toBe(FRESH);
  });

  it.each(Object.entries(OLDER_VALUE_DAYS))("The older value of %s is refused after %s days", (name, days) => {
    const at = (now: number) => read(OLD, FRESH, now, name as SecretName).accepted;
    if (days === null) return expect(at(FROM + 4000 * DAY_MS)).toEqual([FRESH, OLD]);
    expect(at(FROM + days * DAY_MS - 1)).toEqual([FRESH, OLD]);
    expect(at(FROM + days * DAY_MS)).toEqual([FRESH]);
  });

  it("The page about deployments has the days of each secret", async () => {
    const page = await readFile("docs/operating/deploy.md", "utf8");
    const rows = [
      ...page.matchAll(/^\| `([A-Z_]+_SECRET|ADMIN_TOKEN)` +\|[^|]+\| +(\d+ days|until the next rotation) +\|/gm),
    ];
    const expected = Object.entries(OLDER_VALUE_DAYS).map(([name, days]) => [
      name,
      days === null ? "until the next rotation" : `${days} days`,
    ]);
    expect(rows.map(([, name, end]) => [name, end])).toEqual(expected);
  });
});
