import { describe, expect, it } from "vitest";
import { NEW_VARIANTS_PER_MINUTE, TIER_NAMES } from "../../../src/domain/tiers.ts";
import { sortByBindings } from "../../../src/tools/deploy/deploy-order.ts";
import { refuseBadVariables } from "../../../src/tools/deploy/refuse-bad-variables.ts";
import { listResources } from "../../../src/tools/deploy/resources.ts";
import { readWorkerConfigs, type WorkerConfig } from "../../../src/tools/deploy/worker-configs.ts";

/** Values of all fields of this name, at any depth. */
function valuesOf(value: unknown, field: RegExp): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(field.test(name) && typeof inner === "string" ? [inner] : []),
    ...valuesOf(inner, field),
  ]);
}

function worker(name: string, raw: Partial<WorkerConfig["raw"]>): WorkerConfig {
  return { path: `${name}/wrangler.toml`, name, role: "codecs", raw: { name, ...raw } };
}

describe("configuration of an installation", () => {
  it("An installation has its own name for every resource of the account", async () => {
    const text = JSON.stringify(await readWorkerConfigs("photos"));
    expect(text).not.toContain("media-host");
    for (const name of ["photos-api", "photos-cdn", "photos-codecs", "photos-files", "photos-uploads-dead"]) {
      expect(text).toContain(`"${name}"`);
    }
  });

  it("The default name gives the tracked configuration", async () => {
    const names = (await readWorkerConfigs("media-host")).map(({ name }) => name);
    expect(names).toEqual(["media-host-codecs", "media-host-cdn", "media-host-api"]);
  });
});

describe("variables of a deployment", () => {
  const check = (REGISTRATION: string | undefined) => () =>
    refuseBadVariables(worker("api", REGISTRATION === undefined ? {} : { vars: { REGISTRATION } }));

  it("A misspelt value that would stop all registrations is refused", () => {
    for (const mode of [undefined, "", "open", "invited", "closed"]) expect(check(mode)).not.toThrow();
    for (const mode of ["Open", "invite", "none"]) {
      expect(check(mode)).toThrow(
        `api/wrangler.toml: REGISTRATION is "${mode}", and must be one of open, invited, closed`,
      );
    }
  });

  it("The tracked variables are valid", async () => {
    for (const config of await readWorkerConfigs("media-host")) expect(() => refuseBadVariables(config)).not.toThrow();
  });
});

describe("limits of the Workers", () => {
  it("The CDN Worker limits the new variants of each tier as documented", async () => {
    const cdn = (await readWorkerConfigs("media-host")).find(({ name }) => name === "media-host-cdn");
    const limits = cdn?.raw.ratelimits as { name: string; simple: { limit: number; period: number } }[];
    for (const tier of TIER_NAMES) {
      const limit = limits.find(({ name }) => name === `VARIANTS_BY_${tier.toUpperCase()}`)?.simple;
      expect(limit).toEqual({ limit: NEW_VARIANTS_PER_MINUTE[tier], period: 60 });
    }
  });
});

describe("resources of the Workers", () => {
  it("The resources are all resources that a Worker names, without duplicates, of every kind of binding", async () => {
    const configs = await readWorkerConfigs("media-host");
    const raws = configs.map(({ raw }) => raw);
    const { databases, buckets, queues } = listResources(configs);
    const unique = (values: string[]) => [...new Set(values)].sort();
    expect(databases).toEqual(unique(valuesOf(raws, /^database_name$/)));
    expect(buckets).toEqual(unique(valuesOf(raws, /^bucket_name$/)));
    expect(queues).toEqual(unique(valuesOf(raws, /^(queue|dead_letter_queue)$/)));
    expect(databases.length).toBeGreaterThan(0);
  });
});

describe("order of the Workers", () => {
  it("Each Worker follows the Workers that it calls or whose Durable Objects it uses", () => {
    const front = worker("front", { services: [{ binding: "BACK", service: "back" }] });
    const back = worker("back", {
      durable_objects: { bindings: [{ name: "ROOM", class_name: "Room", script_name: "rooms" }] },
    });
    const rooms = worker("rooms", { services: [{ binding: "SELF", service: "rooms" }] });
    expect(sortByBindings([front, back, rooms]).map(({ name }) => name)).toEqual(["rooms", "back", "front"]);
  });

  it("Workers that bind each other are refused by name", () => {
    const a = worker("a", { services: [{ binding: "B", service: "b" }] });
    const b = worker("b", { services: [{ binding: "A", service: "a" }] });
    expect(() => sortByBindings([a, b])).toThrow("a -> b -> a");
  });
});
