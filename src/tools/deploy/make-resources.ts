import { type CloudflareApi, CloudflareError, type CloudflareRequest } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";
import type { Deployment } from "./deployment.ts";
import { findBuckets, findDatabases, findQueues, findSubdomain, jurisdictionHeaders } from "./inventory.ts";
import type { Residence } from "./residence.ts";
import type { Resources } from "./resources.ts";

/**
 * Refuses to replace a database that is missing, or that is another database with the same name, by an empty one.
 * @throws DeployError
 */
export function refuseLostDatabases(
  { installation, inventory }: Pick<Deployment, "installation" | "inventory">,
  { databases }: Resources,
): void {
  for (const name of databases) {
    const id = installation.record.databases[name];
    const found = inventory.databases.get(name);
    if (id === undefined || found === id) continue;
    throw new DeployError(
      `The database ${name} of this installation (${id}) is ${found === undefined ? "gone" : `another database now (${found})`}.
If this is intended, remove it from ${installation.recordPath}; then a database with this name is used, or an empty one created.`,
    );
  }
}

/** @returns ids by name; a dry run lacks the missing resources */
export async function makeDatabases(run: Deployment, { databases }: Resources): Promise<Map<string, string>> {
  const { api, accountId, installation, inventory, progress, place } = run;
  const ids = new Map(inventory.databases);
  for (const name of databases) {
    const found = ids.get(name);
    if (found !== undefined) progress.note(`database ${name} is there`);
    const id =
      found ??
      (await progress.change(`make the database ${name}`, async () => {
        const body = { name, ...databasePlace(place) };
        await makeOnce(api, `/accounts/${accountId}/d1/database`, { permission: "databases", body }, () =>
          findDatabases(api, accountId, [name]).then(({ size }) => size > 0),
        );
        return (await findDatabases(api, accountId, [name])).get(name);
      }));
    if (id === undefined) continue;
    ids.set(name, id);
    if (!progress.isDryRun && installation.record.databases[name] !== id) {
      await installation.update({ databases: { ...installation.record.databases, [name]: id } });
    }
  }
  return ids;
}

function databasePlace(place: Residence | undefined): Record<string, string> {
  if (place === undefined) return {};
  return "location" in place ? { primary_location_hint: place.location } : { jurisdiction: place.jurisdiction };
}

export async function makeBuckets(run: Deployment, { buckets }: Resources): Promise<void> {
  const { api, accountId, inventory, progress, place } = run;
  for (const name of buckets) {
    if (inventory.buckets.has(name)) {
      progress.note(`bucket ${name} is there`);
      continue;
    }
    const body = { name, ...(place !== undefined && "location" in place ? { locationHint: place.location } : {}) };
    const request: CloudflareRequest = { permission: "buckets", body, headers: jurisdictionHeaders(place) };
    await progress.change(`make the bucket ${name}`, () =>
      makeOnce(api, `/accounts/${accountId}/r2/buckets`, request, () =>
        findBuckets(api, accountId, [name], place).then(({ size }) => size > 0),
      ),
    );
  }
}

export async function makeQueues(run: Deployment, { queues }: Resources): Promise<void> {
  const { api, accountId, inventory, progress } = run;
  for (const name of queues) {
    if (inventory.queues.has(name)) {
      progress.note(`queue ${name} is there`);
      continue;
    }
    await progress.change(`make the queue ${name}`, () =>
      makeOnce(api, `/accounts/${accountId}/queues`, { permission: "queues", body: { queue_name: name } }, () =>
        findQueues(api, accountId, [name]).then(({ size }) => size > 0),
      ),
    );
  }
}

/**
 * Registers the account's subdomain of workers.dev, which all its Workers share, if it has none.
 * @throws CloudflareError if the name is not available
 */
export async function makeSubdomain(run: Deployment, suggested: string): Promise<void> {
  const { api, accountId, inventory, progress } = run;
  if (inventory.subdomain !== undefined) return;
  await progress.change(`register ${suggested}.workers.dev for the account`, () =>
    makeOnce(
      api,
      `/accounts/${accountId}/workers/subdomain`,
      { method: "PUT", permission: "scripts", body: { subdomain: suggested } },
      () => findSubdomain(api, accountId).then((found) => found === suggested),
    ),
  );
}

const MAX_ATTEMPTS = 3;

/**
 * Creates a resource with a unique name. Another run may have created it, or the answer may have been lost, so an existing resource after a
 * refusal counts as created. A transient failure is retried; the name prevents a second resource.
 */
async function makeOnce(
  api: CloudflareApi,
  path: string,
  request: CloudflareRequest,
  isThere: () => Promise<boolean>,
  attempt = 1,
): Promise<void> {
  try {
    await api.call(path, { method: "POST", ...request });
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error;
    if (await isThere()) return;
    if (!error.mayPass || attempt === MAX_ATTEMPTS) throw error;
    await makeOnce(api, path, request, isThere, attempt + 1);
  }
}
