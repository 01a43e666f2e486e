import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { BASE_URL, callJson, newAddress, openAccount } from "../support/api/api.ts";

type Namespace = typeof env.ADDRESS_METER | typeof env.ACCOUNT_METER;

/** Durable Objects that note every call, as `name of the object.method`. */
function noting(namespace: Namespace, calls: string[]): Namespace {
  return new Proxy(namespace, {
    get: (target, property) => {
      if (property !== "getByName") throw new Error(`Not noted: ${String(property)}`);
      return (name: string) =>
        new Proxy(target.getByName(name), {
          get: (stub, method) => {
            const member = Reflect.get(stub, method);
            return (...args: unknown[]) => {
              calls.push(`${name.split(":")[0]}.${String(method)}`);
              return Reflect.apply(member, stub, args);
            };
          },
        });
    },
  });
}

async function noteCalls(path: string, body: unknown, address: string): Promise<{ status: number; calls: string[] }> {
  const calls: string[] = [];
  const bindings: Env = {
    ...env,
    ADDRESS_METER: noting(env.ADDRESS_METER, calls) as Env["ADDRESS_METER"],
    ACCOUNT_METER: noting(env.ACCOUNT_METER, calls) as Env["ACCOUNT_METER"],
  };
  const request = new Request(BASE_URL + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": address },
    body: JSON.stringify(body),
  });
  const context = createExecutionContext();
  const { status } = await worker.fetch(request, bindings, context);
  await waitOnExecutionContext(context);
  return { status, calls };
}

function logIn(email: string, password: string): Promise<Response> {
  return callJson("POST", "/auth/login", undefined, { email, password });
}

describe("Log-in calls", () => {
  it("A log-in takes three calls to Durable Objects, after failed attempts as well; the first of an address four", async () => {
    const { id, email, password } = await openAccount();
    const address = newAddress();
    const first = await noteCalls("/auth/login", { email, password }, address);
    expect(first.calls.slice(2)).toEqual([`${id}.openSession`, "login.rememberLogIn"]);
    for (let round = 0; round < 2; round++) {
      const { status, calls } = await noteCalls("/auth/login", { email, password }, address);
      expect(status).toBe(200);
      expect(calls.slice(0, 2).sort()).toEqual(["ip.admitAttempt", "login.beginLogIn"]);
      expect(calls.slice(2)).toEqual([`${id}.openSession`]);
      const failed = await noteCalls("/auth/login", { email, password: "wrong password" }, address);
      expect(failed.status).toBe(401);
      expect(failed.calls.sort()).toEqual(["ip.admitAttempt", "login.beginLogIn"]);
    }
  });

  it("A failed log-in is counted before its answer, so simultaneous guesses are limited as well", async () => {
    const { email, password } = await openAccount();
    const answers = await Promise.all(Array.from({ length: 24 }, () => logIn(email, "a wrong guess")));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    expect((await logIn(email, password)).status).toBe(429);
  });

  it("A successful log-in releases its place to the next at once", async () => {
    const { email, password } = await openAccount();
    for (let failure = 0; failure < 9; failure++) await logIn(email, "a wrong guess");
    for (let round = 0; round < 4; round++) expect((await logIn(email, password)).status).toBe(200);
    expect((await logIn(email, "a wrong guess")).status).toBe(401);
    expect((await logIn(email, password)).status).toBe(429);
  });
});
