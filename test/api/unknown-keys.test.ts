import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import worker from "../../src/worker.ts";
import { BASE_URL, bearer, newAddress, openProAccount } from "../support/api/api.ts";
import { waitForQuietMinute } from "../support/api/quiet-minute.ts";

/** The limit of requests of an address without an account in a minute. */
const LIMIT = 20;
/** The limit of `FEW_KEY_LOOKUPS` in a period. */
const LOOKUPS = 100;
const PERIOD_MS = 10_000;
const WORKERS_ADDRESS = "2a06:98c0:3600::103";

/** Queries of D1 and calls of objects. */
let asked = 0;

const counted: Env = {
  ...env,
  ADDRESS_RATE_PER_MINUTE: String(LIMIT),
  KEY_LOOKUPS: (env as unknown as { FEW_KEY_LOOKUPS: RateLimit }).FEW_KEY_LOOKUPS,
  DB: counting(env.DB, "prepare"),
  ADDRESS_METER: counting(env.ADDRESS_METER, "getByName"),
  ACCOUNT_METER: counting(env.ACCOUNT_METER, "getByName"),
};

function counting<Store extends object>(store: Store, method: string): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === method) asked += 1;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function ask(
  address: string,
  path: string,
  key?: string,
  { zone, bindings = counted }: { zone?: string; bindings?: Env } = {},
): Promise<Response> {
  const headers = {
    "CF-Connecting-IP": address,
    ...(zone === undefined ? {} : { "CF-Worker": zone }),
    ...(key === undefined ? {} : bearer(key)),
  };
  const context = createExecutionContext();
  const response = await worker.fetch(new Request(BASE_URL + path, { headers }), bindings, context);
  await waitOnExecutionContext(context);
  return response;
}

function unknownKey(): string {
  return `service_live_${crypto.randomUUID().replaceAll("-", "").padEnd(43, "x")}`;
}

/** The statuses of `count` requests with unknown keys, within one period. */
async function flood(count: number, address: string, options: { zone?: string } = {}): Promise<number[]> {
  await waitForQuietMinute(15_000);
  const left = PERIOD_MS - (Date.now() % PERIOD_MS);
  if (left < 6000) await new Promise((resolve) => setTimeout(resolve, left + 20));
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await ask(address, "/images", unknownKey(), options)).status);
  return statuses;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("Unknown keys", () => {
  it("A flood of unknown keys is refused without a query and without a call of an object", async () => {
    const address = newAddress();
    const statuses = await flood(LOOKUPS, address);
    // The address uses up its own minute before.
    expect(statuses).toEqual([...Array(LIMIT).fill(401), ...Array(LOOKUPS - LIMIT).fill(429)]);
    asked = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(address, "/images", unknownKey())));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(429));
    expect(asked).toBe(0);
    const [answer] = answers as [Response];
    expect(await answer.json()).toMatchObject({ code: "rate_limited", details: { retryAfter: 10, reason: "rate" } });
    expect(answer.headers.get("X-RateLimit-Remaining")).toBe("0");
  });

  it("A flood of unknown keys does not affect a valid key that this isolate knows, at the same address", async () => {
    const address = newAddress();
    const { apiKey } = await openProAccount();
    expect((await ask(address, "/images", apiKey)).status).toBe(200);
    await flood(LOOKUPS + 1, address);
    expect((await ask(address, "/images", apiKey)).status).toBe(200);
  });

  it("Unknown keys are refused if requests without a key used up the limit", async () => {
    await waitForQuietMinute(15_000);
    const address = newAddress();
    for (let i = 0; i < LIMIT; i++) await ask(address, "/openapi.json");
    const response = await ask(address, "/images", unknownKey());
    expect(response.status).toBe(429);
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(response.headers.get("X-RateLimit-Limit")).toBe(String(LIMIT));
  });
});

describe("Valid keys at an address that makes errors", () => {
  it.each(["/nowhere", "/images"])(
    "640 errors of an address at %s do not block a valid key that no isolate knows",
    async (path) => {
      await waitForQuietMinute(20_000);
      const address = newAddress();
      const { apiKey } = await openProAccount();
      const statuses: number[] = [];
      for (let i = 0; i < 640; i++) statuses.push((await ask(address, path)).status);
      expect(statuses.at(-1)).toBe(429);
      expect((await ask(address, "/images", apiKey)).status).toBe(200);
    },
    60_000,
  );

  it("A valid key is looked up if the platform's counter fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { apiKey } = await openProAccount();
    const limit = () => Promise.reject(new Error("internal error"));
    const bindings = { ...counted, KEY_LOOKUPS: { limit } };
    expect((await ask(newAddress(), "/images", apiKey, { bindings })).status).toBe(200);
  });
});

describe("Workers of other zones, which share one address", () => {
  it("A flood by one zone's Workers does not affect another zone's", async () => {
    const [good, bad] = [`${crypto.randomUUID()}.example`, `${crypto.randomUUID()}.example`];
    const { apiKey } = await openProAccount();
    await flood(LOOKUPS, WORKERS_ADDRESS, { zone: bad });
    expect((await ask(WORKERS_ADDRESS, "/openapi.json", undefined, { zone: bad })).status).toBe(429);
    expect((await ask(WORKERS_ADDRESS, "/openapi.json", undefined, { zone: good })).status).toBe(200);
    expect((await ask(WORKERS_ADDRESS, "/images", apiKey, { zone: good })).status).toBe(200);
  });

  it("Only for the shared address the zone counts", async () => {
    await waitForQuietMinute(15_000);
    const address = newAddress();
    for (let i = 0; i < LIMIT; i++) await ask(address, "/openapi.json", undefined, { zone: `${i}.example` });
    expect((await ask(address, "/openapi.json", undefined, { zone: "other.example" })).status).toBe(429);
  });
});
