import { describe, expect, it } from "vitest";
import { RulesReader, type SharedCache } from "../../../src/cdn/rules-reader.ts";
import { addToIndex, type FileRules, fileRulesKey, RULES_INDEX_KEY } from "../../../src/domain/file-rules.ts";
import { DOLLARS_PER_MILLION } from "../../support/costs/prices.ts";

const ORIGIN = "https://cdn.example.com";
const ACCOUNT = "01hzy3v7k9q4r5s6t7v8w9x0ya";
/** The price of counting, of the request and of its R2 operation: docs/operating/costs.md. */
const VIEW_DOLLARS = 0.87;

class Store {
  reads = 0;
  isAway = false;
  readonly #objects = new Map<string, Uint8Array>();

  setRules(accountId: string, rules: FileRules): void {
    const index = this.#objects.get(RULES_INDEX_KEY) ?? new Uint8Array(0);
    this.#objects.set(RULES_INDEX_KEY, addToIndex(index, accountId));
    this.#objects.set(fileRulesKey(accountId), new TextEncoder().encode(JSON.stringify(rules)));
  }

  readonly get = async (key: string) => {
    if (this.isAway) throw new Error("R2 is away");
    this.reads += 1;
    const bytes = this.#objects.get(key);
    return bytes === undefined ? null : { arrayBuffer: async () => bytes.slice().buffer };
  };

  get files(): Pick<R2Bucket, "get"> {
    return { get: this.get } as unknown as Pick<R2Bucket, "get">;
  }
}

/** A data centre's cache, with the time of the test. */
function cacheAt(now: () => number): SharedCache {
  const kept = new Map<string, { response: Response; endsAt: number }>();
  return {
    match: async (url) => {
      const found = kept.get(String(url));
      return found !== undefined && now() < found.endsAt ? found.response.clone() : undefined;
    },
    put: async (url, response) => {
      const seconds = Number(/max-age=(\d+)/.exec(response.headers.get("Cache-Control") ?? "")?.[1]);
      kept.set(String(url), { response, endsAt: now() + seconds * 1000 });
    },
  };
}

const NO_CACHE: SharedCache = { match: async () => undefined, put: async () => {} };

describe("The rules of an account", () => {
  it.each([
    ["an isolate alone", false],
    ["isolates that share a cache", true],
  ])("A change of an account's rules takes effect within a minute: %s", async (_, isShared) => {
    let now = 1_000_000;
    const store = new Store();
    const cache = isShared ? cacheAt(() => now) : NO_CACHE;
    const readers = [0, 1].map(() => new RulesReader({ files: store.files, cache, now: () => now }));
    const suspended = async () => {
      const rules = await Promise.all(readers.map((reader) => reader.rulesOf(ACCOUNT, ORIGIN)));
      return rules.map((each) => each.suspended === true);
    };
    for (const state of [{ suspended: true } as const, {}, { suspended: true } as const]) {
      // The change falls between two reads of the copies.
      for (let step = 0; step < 7; step++) {
        now += 9_000;
        await suspended();
      }
      store.setRules(ACCOUNT, state);
      for (let step = 0; step < 60; step++) {
        now += 1000;
        await suspended();
      }
      expect(await suspended()).toEqual([state.suspended === true, state.suspended === true]);
    }
  });

  it("The copies of rules are used while R2 is away", async () => {
    let now = 1_000_000;
    const store = new Store();
    store.setRules(ACCOUNT, { suspended: true });
    const reader = new RulesReader({ files: store.files, cache: NO_CACHE, now: () => now });
    expect(await reader.rulesOf(ACCOUNT, ORIGIN)).toMatchObject({ suspended: true });
    store.isAway = true;
    now += 300_000;
    expect(await reader.rulesOf(ACCOUNT, ORIGIN)).toMatchObject({ suspended: true });
    const cold = new RulesReader({ files: store.files, cache: NO_CACHE, now: () => now });
    await expect(cold.rulesOf(ACCOUNT, ORIGIN)).rejects.toThrow("away");
  });

  it("Requests that arrive together while a copy of the rules is read again use the stored copy", async () => {
    let now = 1_000_000;
    const store = new Store();
    const reader = new RulesReader({ files: store.files, cache: NO_CACHE, now: () => now });
    await reader.rulesOf(ACCOUNT, ORIGIN);
    now += 46_000;
    await Promise.all(Array.from({ length: 100 }, () => reader.rulesOf(ACCOUNT, ORIGIN)));
    expect(store.reads).toBe(2);
  });
});

describe("Views of a billion a month", () => {
  /** Popularity by Zipf's law. */
  function drawer(count: number): (random: number) => number {
    const sums: number[] = [];
    for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank);
    const total = sums.at(-1) ?? 1;
    return (random) => sums.findIndex((sum) => sum >= random * total);
  }

  it.each([
    ["with the shared cache", true, 400],
    ["with isolates alone (workers.dev)", false, 400],
    ["a tenth of the views", true, 40],
  ])("A view costs at most 95 cents a million with its rules: %s", async (_, isShared, viewsPerSecond) => {
    // 200 data centres, 8 isolates each that live for ten minutes, 2,000 accounts of which one in a hundred has rules.
    const [centres, isolates, accounts, seconds] = [200, 8, 2000, 120];
    let now = 1_000_000;
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    const store = new Store();
    const idOf = (account: number) => `01hzy3v7k9q4r5s6t7v8w${String(account).padStart(5, "0")}`;
    for (let account = 0; account < accounts; account += 100) store.setRules(idOf(account), { hotlink: HOTLINK });
    const caches = Array.from({ length: centres }, () => (isShared ? cacheAt(() => now) : NO_CACHE));
    const readers = new Map<string, RulesReader>();
    const [drawCentre, drawAccount] = [drawer(centres), drawer(accounts)];
    let views = 0;
    for (; views < viewsPerSecond * seconds; views++) {
      now += 1000 / viewsPerSecond;
      const centre = drawCentre(random());
      const life = Math.floor((now + centre * 7919) / 600_000);
      const id = `${centre} ${Math.floor(random() * isolates)} ${life}`;
      let reader = readers.get(id);
      if (reader === undefined) {
        reader = new RulesReader({ files: store.files, cache: caches[centre] ?? NO_CACHE, now: () => now });
        readers.set(id, reader);
      }
      await reader.rulesOf(idOf(drawAccount(random())), ORIGIN);
    }
    const dollars = VIEW_DOLLARS + (store.reads / views) * DOLLARS_PER_MILLION.r2ClassB;
    expect(dollars).toBeLessThanOrEqual(0.95);
  });
});

const HOTLINK = { allowedHosts: ["example.com"], allowEmptyReferer: true };
