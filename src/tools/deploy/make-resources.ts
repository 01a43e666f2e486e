import { type CloudflareApi, CloudflareError, type CloudflareRequest } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";
import { findBuckets, findDatabases, findQueues, findSubdomain } from "./inventory.ts";
import type { Resources } from "./resources.ts";
import type { Run } from "./run.ts";

/**
 * A database that an installation had and that is gone, or is another one of the same name, is not replaced by an empty one unasked.
 * @throws DeployError
 */
export function refuseLostDatabases(
  { installation, inventory }: Pick<Run, "installation" | "inventory">,
  { databases }: Resources,
): void {
  for (const name of databases) {
    const id = installation.record.databases[name];
    const found = inventory.databases.get(name);
    if (id === undefined || found === id) continue;
    throw new DeployError(
      `The database ${name} of this installation (${id}) is ${found === undefined ? "gone" : `another one now (${found})`}.
If that is meant, take it out of ${installation.recordPath}; a database of that name is adopted, or an empty one made.`,
    );
  }
}

/** @returns ids by name; in a dry run without those that would be made */
export async function makeDatabases(run: Run, { databases }: Resources): Promise<Map<string, string>> {
  const { api, accountId, installation, inventory, progress } = run;
  const ids = new Map(inventory.databases);
  for (const name of databases) {
    const found = ids.get(name);
    if (found !== undefined) progress.note(`database ${name} is there`);
    const id =
      found ??
      (await progress.change(`make the database ${name}`, async () => {
        await makeOnce(api, `/accounts/${accountId}/d1/database`, { permission: "databases", body: { name } }, () =>
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

export async function makeBuckets(run: Run, { buckets }: Resources): Promise<void> {
  const { api, accountId, inventory, progress } = run;
  for (const name of buckets) {
    if (inventory.buckets.has(name)) {
      progress.note(`bucket ${name} is there`);
      continue;
    }
    await progress.change(`make the bucket ${name}`, () =>
      makeOnce(api, `/accounts/${accountId}/r2/buckets`, { permission: "buckets", body: { name } }, () =>
        findBuckets(api, accountId, [name]).then(({ size }) => size > 0),
      ),
    );
  }
}

export async function makeQueues(run: Run, { queues }: Resources): Promise<void> {
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
 * Registers the account's part of workers.dev, which all its Workers share, where it has none.
 * @throws CloudflareError where the name cannot be had
 */
export async function makeSubdomain(run: Run, suggested: string): Promise<void> {
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
 * Makes what has a name that only one can have. Somebody else may have been faster, and a yes may have been lost on its way: what is there
 * after a refusal is taken as made. What may have failed for a moment is tried again, which makes nothing twice as the name is taken then.
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
