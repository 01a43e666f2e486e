import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { rpcMethods } from "../../support/rpc-methods.ts";

// The meter's methods are in several classes, one above the other (src/meter/account/). RPC finds the methods of all of them, and no property of
// the object: what the classes share must not become a method.

it("methods that are inherited are callable, and nothing that they share is", async () => {
  const meter = env.ACCOUNT_METER.getByName("nobody");
  expect(await meter.read()).toBeUndefined();
  expect(await meter.listAlerts()).toEqual([]);
  await runInDurableObject(meter, (object) => {
    const methods = rpcMethods(object.constructor as unknown as { readonly prototype: object });
    expect(methods).toEqual(expect.arrayContaining(["admit", "settleUploads", "findResumable", "erase", "reconcile"]));
    const shared = Object.keys(object);
    expect(shared).toEqual(expect.arrayContaining(["books", "runner", "load", "openStores"]));
    expect(methods.filter((name) => shared.includes(name))).toEqual([]);
  });
});
