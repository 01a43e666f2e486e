import { randomUUID } from "node:crypto";
import type { Application, CloudflareAccount } from "./account-state.ts";
import { ok, REFUSALS } from "./answer.ts";
import { json, type Routes } from "./router.ts";

/** Containers of an account. Docker pushes to the registry itself, which is not part of this. */

const REGISTRY = "registry.cloudflare.com";
const LIMITS = { disk_mb_per_deployment: 8000, memory_mib_per_deployment: 4096, vcpu_per_deployment: 4 };

export const CONTAINER_ROUTES: Routes = {
  "GET /containers/me": (_, __, { id }) => ok({ external_account_id: id, limits: LIMITS, defaults: {}, locations: [] }),
  "POST /containers/registries/:domain/credentials": () =>
    ok({ registry_host: REGISTRY, username: "v1", password: "test-registry-password" }),
  "GET /containers/applications": (_, __, account) => ok(account.applications),
  "POST /containers/applications": (call, _, account) => {
    const wanted = json<Omit<Application, "id">>(call);
    requireContainerClass(account, wanted.durable_objects.namespace_id);
    const application = { ...wanted, id: randomUUID() };
    account.applications.push(application);
    return ok(application);
  },
  "PATCH /containers/applications/:id": (call, { id = "" }, account) => {
    const index = account.applications.findIndex((each) => each.id === id);
    const before = account.applications[index];
    if (before === undefined) throw REFUSALS.noRoute(call.path);
    account.applications[index] = { ...before, ...json<Partial<Application>>(call) };
    return ok(account.applications[index]);
  },
  "POST /containers/applications/:id/rollouts": (call, { id = "" }, account) => {
    const application = account.applications.find((each) => each.id === id);
    if (application === undefined) throw REFUSALS.noRoute(call.path);
    return ok({ id: randomUUID(), ...json<object>(call) });
  },
  "GET /workers/durable_objects/namespaces": (_, __, account) => {
    const all = [...account.scripts.values()].flatMap(({ name, classes }) =>
      [...classes.keys()].map((className) => ({ id: namespaceId(name, className), script: name, class: className })),
    );
    return ok(all, { page: 1, per_page: 1000, count: all.length, total_count: all.length });
  },
};

/** The namespace of a script's class. */
export function namespaceId(script: string, className: string): string {
  return `namespace-of-${script}-${className}`;
}

/** A class that was created without a Container never gets one (cloudflare/workers-sdk, issue 14614). */
function requireContainerClass(account: CloudflareAccount, id: string): void {
  for (const { name, classes } of account.scripts.values()) {
    for (const [className, { isContainer }] of classes) {
      if (namespaceId(name, className) === id && isContainer) return;
    }
  }
  throw REFUSALS.notContainerEnabled();
}
