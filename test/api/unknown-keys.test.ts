import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { BASE_URL, bearer, newAddress, openProAccount } from "../support/api/api.ts";
import { waitForQuietMinute } from "../support/api/quiet-minute.ts";

const LIMIT = "20";
let questions = 0;

const counted: Env = {
  ...env,
  ADDRESS_RATE_PER_MINUTE: LIMIT,
  DB: new Proxy(env.DB, {
    get: (target, name) => {
      if (name === "prepare") questions += 1;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  }),
};

async function ask(address: string, path: string, key?: string): Promise<Response> {
  const headers = { "CF-Connecting-IP": address, ...(key === undefined ? {} : bearer(key)) };
  const context = createExecutionContext();
  const response = await worker.fetch(new Request(BASE_URL + path, { headers }), counted, context);
  await waitOnExecutionContext(context);
  return response;
}

function unknownKey(): string {
  return `service_live_${crypto.randomUUID().replaceAll("-", "").padEnd(43, "x")}`;
}

describe("keys that do not exist", () => {
  it("are refused before the database is asked, once their address is over its limit", async () => {
    await waitForQuietMinute(15_000);
    const address = newAddress();
    const statuses: number[] = [];
    questions = 0;
    for (let i = 0; i < 30; i++) statuses.push((await ask(address, "/images", unknownKey())).status);
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    expect(questions).toBe(20);
  });

  it("are refused so too where the limit was used up by requests without a key", async () => {
    await waitForQuietMinute(15_000);
    const address = newAddress();
    for (let i = 0; i < 20; i++) await ask(address, "/openapi.json");
    questions = 0;
    const response = await ask(address, "/images", unknownKey());
    expect([response.status, questions]).toEqual([429, 0]);
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(response.headers.get("X-RateLimit-Limit")).toBe(LIMIT);
  });

  it("cost a good key nothing that this isolate knows, also at the same address", async () => {
    await waitForQuietMinute(15_000);
    const address = newAddress();
    const { apiKey } = await openProAccount();
    expect((await ask(address, "/images", apiKey)).status).toBe(200);
    for (let i = 0; i < 22; i++) await ask(address, "/images", unknownKey());
    expect((await ask(address, "/images", apiKey)).status).toBe(200);
  });
});
