import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { rpcMethods } from "../../support/rpc-methods.ts";

// RPC reaches every method of the meter's class. The shared context must be neither a method nor a property of the object.

it("RPC can call the meter's methods, and nothing else of the object", async () => {
  const meter = env.ACCOUNT_METER.getByName("nobody");
  expect(await meter.read()).toBeUndefined();
  expect(await meter.listAlerts()).toEqual([]);
  await runInDurableObject(meter, (object) => {
    const methods = rpcMethods(object.constructor as unknown as { readonly prototype: object });
    expect(methods).toEqual(expect.arrayContaining(["admit", "settleUploads", "findResumable", "erase", "reconcile"]));
    expect(methods.filter((name) => ["load", "openStores", "openDirectory", "timeoutMs"].includes(name))).toEqual([]);
    expect(Object.keys(object).filter((name) => !["ctx", "env"].includes(name))).toEqual([]);
  });
});
