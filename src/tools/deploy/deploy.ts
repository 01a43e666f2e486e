import { type Addresses, suggestSubdomain } from "./addresses.ts";
import type { Ask } from "./choose-residence.ts";
import { deployWorkers } from "./deploy-workers.ts";
import { addressesOf, type Deployment, getWorker } from "./deployment.ts";
import { makeBuckets, makeDatabases, makeQueues, makeSubdomain } from "./make-resources.ts";
import type { DeployOptions } from "./options.ts";
import { type DeployEnv, prepare } from "./prepare.ts";
import { listResources } from "./resources.ts";
import { setNotification } from "./set-notification.ts";
import { smokeTest } from "./smoke-test.ts";
import { updateSchema } from "./update-schema.ts";

/**
 * Brings an installation up to date with the tree: checks, creates missing resources, uploads changed Workers, updates the schema, and
 * tries the service. Every step is idempotent and skipped if it is done, so the next run repairs an interrupted run.
 * @param ask asks the person at the terminal; undefined if there is none
 * @throws DeployError if a person has to act
 */
export async function deploy(
  options: DeployOptions,
  env: DeployEnv,
  print: (line: string) => void,
  ask: Ask | undefined,
): Promise<void> {
  const run = await prepare(options, env, print, ask);
  const { configs, installation, progress } = run;
  const addresses = addressesOf(run);

  print("Resources");
  const resources = listResources(configs);
  const databases = await makeDatabases(run, resources);
  await makeBuckets(run, resources);
  await makeQueues(run, resources);
  if (run.domain === null) await makeSubdomain(run, suggestSubdomain(options.name, run.accountId));

  print("Workers");
  const adminToken = await deployWorkers(run, { ...run, databases, addresses });
  await releaseDomains(run);

  print("Service");
  await progress.change("bring the database's schema up to date", async () => {
    const versionId = installation.record.workers[getWorker(configs, "api").name]?.versionId;
    if (versionId === undefined) throw new Error("no API Worker was deployed");
    const applied = await updateSchema({ apiUrl: addresses.apiUrl, adminToken, versionId });
    for (const name of applied) progress.note(`applied ${name}`);
  });
  await progress.change("try it: upload, view, range, delete", () =>
    smokeTest({ ...addresses, adminToken, installation }),
  );
  await setNotification(run);
  announce(run, addresses, print);
}

function announce(
  { progress, installation, options }: Deployment,
  addresses: Addresses,
  print: (line: string) => void,
): void {
  if (progress.isDryRun) {
    print(`\nNothing was changed. The API would be at ${addresses.apiUrl}`);
    return;
  }
  print(`
${options.name} is ready at ${addresses.apiUrl}
  API reference   ${addresses.apiUrl}/docs
  Files           ${addresses.cdnUrl}/uploads/...
  Operator        set -a; . ${installation.operatorPath}; set +a; npm run admin -- show EMAIL`);
}

interface AttachedDomain {
  readonly id: string;
  readonly hostname: string;
  readonly service: string;
}

/** Removes domains that the installation gave up. wrangler keeps them on a Worker without domains. */
async function releaseDomains(run: Deployment): Promise<void> {
  const { api, accountId, installation, progress, configs, formerDomains } = run;
  const own = new Set(configs.map(({ name }) => name));
  const path = `/accounts/${accountId}/workers/domains`;
  for (const hostname of formerDomains) {
    const attached = await api.call<AttachedDomain[]>(path, { permission: "scripts", query: { hostname } });
    const found = attached.find((each) => each.hostname === hostname && own.has(each.service));
    if (found === undefined) continue;
    await progress.change(`take the domain ${hostname} from the Worker ${found.service}`, () =>
      api.call(`${path}/${found.id}`, { method: "DELETE", permission: "routes" }),
    );
  }
  if (!progress.isDryRun) await installation.update({ formerDomains: [] });
}
