import { describe, expect, it } from "vitest";
import { readSecret } from "../../../src/domain/secret-pair.ts";
import { chooseSecrets } from "../../../src/tools/deploy/choose-secrets.ts";
import { parseOptions } from "../../../src/tools/deploy/options.ts";
import { finishedRotation, planRotation, rotatedSecrets } from "../../../src/tools/deploy/rotation.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW = 1_800_000_000_000;
const NAME = "PREVIEW_SECRET";

const holder = (name: string, ...present: string[]) => ({ name, required: [NAME], present: new Set(present) });
const ONE = [holder("api", NAME), holder("cdn", NAME)];
const TWO = [holder("api", NAME, `${NAME}_2`), holder("cdn", NAME, `${NAME}_2`)];
const plan = (holders: typeof ONE, last?: Parameters<typeof planRotation>[2], now = NOW, isLeaked = false) =>
  planRotation({ name: NAME, isLeaked }, holders, last, now);

describe("The rotation of a secret", () => {
  it("Each rotation replaces the older value, with the same value in every Worker", () => {
    const first = plan(ONE);
    const uploads = rotatedSecrets(first, ONE);
    expect([...uploads]).toEqual([
      ["api", { [`${NAME}_2`]: first.value }],
      ["cdn", { [`${NAME}_2`]: first.value }],
    ]);
    const second = plan(TWO, finishedRotation(first), NOW + 4 * DAY_MS);
    expect(rotatedSecrets(second, TWO).get("cdn")).toEqual({ [NAME]: second.value });
    const bindings = { [NAME]: second.value, [`${NAME}_2`]: first.value };
    expect(readSecret(bindings as Record<typeof NAME, string>, NAME, NOW + 5 * DAY_MS).current).toBe(second.value);
    expect(plan(TWO, finishedRotation(second), NOW + 8 * DAY_MS).slots).toEqual([2]);
  });

  it("The new value signs an hour later, and also if the clock was set back", () => {
    expect(plan(ONE).signsFrom).toBe(NOW + HOUR_MS);
    const last = { slot: 2, signsFrom: NOW } as const;
    expect(planRotation({ name: "SIGN_IN_SECRET", isLeaked: false }, [], last, NOW + 31 * DAY_MS).slots).toEqual([1]);
    const backwards = { slot: 2, signsFrom: NOW - 10 * DAY_MS } as const;
    expect(plan(TWO, backwards).signsFrom).toBeGreaterThan(backwards.signsFrom);
  });

  it("A rotation that would end values in use is refused, except with `--leaked`", () => {
    const last = { slot: 2, signsFrom: NOW } as const;
    expect(() => plan(TWO, last, NOW + 3 * DAY_MS - 1)).toThrow("may be in use until 2027-01-18 08:00 UTC");
    expect(plan(TWO, last, NOW + 3 * DAY_MS).slots).toEqual([1]);
    expect(() => plan(TWO)).toThrow("another folder");
    const leaked = plan(TWO, last, NOW + HOUR_MS, true);
    expect([leaked.slots, leaked.signsFrom]).toEqual([[1, 2], NOW + HOUR_MS]);
    expect(rotatedSecrets(leaked, TWO).get("api")).toEqual({ [NAME]: leaked.value, [`${NAME}_2`]: leaked.value });
    expect(plan(TWO, finishedRotation(leaked), NOW + 40 * DAY_MS).slots).toEqual([1]);
  });

  it("A Worker that was rolled back to one value keeps it", () => {
    const last = { slot: 2, signsFrom: NOW } as const;
    const mixed = [holder("api", NAME), holder("cdn", NAME, `${NAME}_2`)];
    expect([ONE, mixed].map((holders) => plan(holders, last, NOW + 3 * DAY_MS).slots)).toEqual([[2], [2]]);
  });

  it("A secret that a Worker lacks is not rotated", () => {
    expect(() => plan([holder("api", NAME), holder("cdn")])).toThrow("has no value yet");
  });

  it("A secret that is generated again replaces both values", () => {
    const chosen = chooseSecrets([holder("api", NAME, `${NAME}_2`), holder("cdn")], "token");
    const value = chosen.get("api")?.[NAME];
    expect(chosen.get("api")).toEqual({ [NAME]: value, [`${NAME}_2`]: value });
    expect(chosen.get("cdn")).toEqual(chosen.get("api"));
  });

  it("`--rotate` takes the secrets that the deployment generates", () => {
    expect(parseOptions(["--rotate", NAME]).rotated).toEqual({ name: NAME, isLeaked: false });
    expect(parseOptions(["--rotate", NAME, "--leaked"]).rotated).toEqual({ name: NAME, isLeaked: true });
    expect(() => parseOptions(["--rotate", "TURNSTILE_SECRET_KEY"])).toThrow("--rotate takes one of JWT_SECRET,");
    expect(() => parseOptions(["--rotate", "toString"])).toThrow("--rotate takes one of");
    expect(() => parseOptions(["--leaked"])).toThrow("--leaked goes with --rotate");
    expect(() => parseOptions(["--rotate", "ADMIN_TOKEN", "--new-admin-token"])).toThrow("exclude each other");
  });
});
