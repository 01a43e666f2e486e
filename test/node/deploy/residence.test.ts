import { describe, expect, it } from "vitest";
import { type Ask, chooseResidence } from "../../../src/tools/deploy/choose-residence.ts";
import { judgeBase } from "../../../src/tools/deploy/container-base.ts";
import type { InstallationRecord } from "../../../src/tools/deploy/installation.ts";
import type { Inventory } from "../../../src/tools/deploy/inventory.ts";
import { parseOptions } from "../../../src/tools/deploy/options.ts";
import type { Residence } from "../../../src/tools/deploy/residence.ts";

const RESOURCES = { databases: ["directory"], buckets: ["files"], queues: [] };
const EMPTY = { databases: new Map(), buckets: new Set() } as unknown as Inventory;
const FULL = { databases: new Map([["directory", "1"]]), buckets: new Set(["files"]) } as unknown as Inventory;

function choose(args: string[], place?: Residence, inventory = EMPTY, ask?: Ask) {
  const record = { place } as InstallationRecord;
  return chooseResidence(parseOptions(args), { record }, inventory, RESOURCES, ask);
}

describe("Place of an installation", () => {
  it("The first deployment takes the place of its options", async () => {
    expect(await choose(["--location", "apac"])).toEqual({ location: "apac" });
    expect(await choose(["--jurisdiction", "eu"])).toEqual({ jurisdiction: "eu" });
  });

  it("A first deployment without a terminal is refused until it names the place", async () => {
    await expect(choose([])).rejects.toThrow("--jurisdiction eu|us|fedramp");
  });

  it("A person at a terminal is asked until the answer is a place", async () => {
    const answers = ["mars", "fedramp"];
    const asked: string[] = [];
    const ask: Ask = async (question) => {
      asked.push(question);
      return answers.shift() ?? "";
    };
    expect(await choose([], undefined, EMPTY, ask)).toEqual({ jurisdiction: "fedramp" });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain("It cannot be changed later");
  });

  it("Later deployments keep the place, and an option that names another one is refused", async () => {
    const place = { jurisdiction: "eu" } as const;
    expect(await choose([], place, FULL)).toEqual(place);
    expect(await choose(["--jurisdiction", "eu"], place, FULL)).toEqual(place);
    await expect(choose(["--location", "weur"], place, FULL)).rejects.toThrow("moves no database");
  });

  it("An installation that is older than the choice of a place is not asked", async () => {
    expect(await choose([], undefined, FULL)).toBeUndefined();
  });

  it.each([
    ["--location", "mars"],
    ["--jurisdiction", "weur"],
    ["--location", "weur", "--jurisdiction", "eu"],
  ])("The options %s %s %s %s are refused", (...args) => {
    expect(() => parseOptions(args.filter((arg) => arg !== undefined))).toThrow(/--(location|jurisdiction)/);
  });
});

describe("age of the Container's base", () => {
  const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

  it("A base of 30 days is kept, and a base of 31 days is pulled again", () => {
    expect(judgeBase("2026-10-01", at("2026-10-31"))).toEqual({ date: "2026-10-01", outdatedDays: undefined });
    expect(judgeBase("2026-10-01", at("2026-11-01"))).toEqual({ date: "2026-11-01", outdatedDays: 31 });
  });

  it("A base that was never recorded counts as pulled today", () => {
    expect(judgeBase(undefined, at("2026-11-01"))).toEqual({ date: "2026-11-01", outdatedDays: undefined });
  });
});
