import type { Unstable_RawConfig } from "wrangler";
import { run } from "../local/run.ts";
import { chooseAccount } from "./account.ts";
import { type Addresses, suggestSubdomain, toAddresses } from "./addresses.ts";
import { checkDocker } from "./check-docker.ts";
import { checkDomain } from "./check-domain.ts";
import { chooseSecrets, makeSecret, OPERATOR_SECRET } from "./choose-secrets.ts";
import { CloudflareApi } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";
import { sortByBindings } from "./deploy-order.ts";
import { type DeployedSettings, toDeployedConfig } from "./deployed-config.ts";
import { Installation } from "./installation.ts";
import { type Inventory, takeInventory } from "./inventory.ts";
import {
  type MakeContext,
  makeBuckets,
  makeDatabases,
  makeQueues,
  makeSubdomain,
  refuseLostDatabases,
} from "./make-resources.ts";
import type { DeployOptions } from "./options.ts";
import { TOKEN_HELP } from "./permissions.ts";
import { Progress } from "./progress.ts";
import { releaseDomains } from "./release-domains.ts";
import { listResources } from "./resources.ts";
import { runWrangler } from "./run-wrangler.ts";
import { smokeTest } from "./smoke-test.ts";
import { updateSchema } from "./update-schema.ts";
import { readWorkerConfigs, type WorkerConfig } from "./worker-configs.ts";
import { hashWorker } from "./worker-hash.ts";

export interface DeployEnv {
  readonly CLOUDFLARE_API_TOKEN?: string | undefined;
  readonly CLOUDFLARE_ACCOUNT_ID?: string | undefined;
  readonly ADMIN_TOKEN?: string | undefined;
}

/** One run, once it is known what is there. */
interface Run extends MakeContext {
  readonly options: DeployOptions;
  readonly token: string;
  /** In the order of their deployment. */
  readonly configs: readonly WorkerConfig[];
  readonly api: CloudflareApi;
  /** Undefined: there is none, and one is made. */
  readonly adminToken: string | undefined;
  readonly container: boolean;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** What it gave up, now or in a run that broke off. */
  readonly formerDomains: readonly string[];
}

/**
 * Brings an installation up to what the tree says: looks, refuses what cannot end well, makes what is missing, uploads what changed,
 * updates the schema, and tries the service. Every step can be done again, and one that was done is skipped, so that a run that broke
 * off is repaired by the next.
 * @throws DeployError where somebody has to do something about it
 */
export async function deploy(options: DeployOptions, env: DeployEnv, print: (line: string) => void): Promise<void> {
  const token = env.CLOUDFLARE_API_TOKEN;
  if (!token) throw new DeployError(TOKEN_HELP);
  const prepared = await prepare(options, token, env, print);
  const { progress, configs } = prepared;

  print("Resources");
  const resources = listResources(configs);
  const databases = await makeDatabases(prepared, resources);
  await makeBuckets(prepared, resources);
  await makeQueues(prepared, resources);
  const addresses = addressesOf(prepared);
  if (prepared.domain === null) await makeSubdomain(prepared, suggestSubdomain(options.name, prepared.accountId));

  print("Workers");
  const { domain, cdnDomain, container } = prepared;
  const adminToken = await deployWorkers(prepared, { databases, addresses, domain, cdnDomain, container });

  await releaseDomains(prepared);

  print("Service");
  const apiVersion = prepared.installation.record.workers[apiOf(configs).name]?.versionId;
  await progress.change("bring the database's schema up to date", async () => {
    const applied = await updateSchema({ apiUrl: addresses.apiUrl, adminToken, versionId: apiVersion ?? "" });
    for (const name of applied) progress.note(`applied ${name}`);
  });
  await progress.change("try it: upload, view, range, delete", () =>
    smokeTest({ ...addresses, adminToken, installation: prepared.installation }),
  );
  announce(prepared, addresses, print);
}

/** Everything that is read and can be refused, before anything is changed. */
async function prepare(
  options: DeployOptions,
  token: string,
  env: DeployEnv,
  print: (line: string) => void,
): Promise<Run> {
  const api = new CloudflareApi(token);
  const account = await chooseAccount(api, env.CLOUDFLARE_ACCOUNT_ID || undefined);
  const installation = await Installation.open(account.id, options.name);
  const configs = sortByBindings(await readWorkerConfigs(options.name));
  const progress = new Progress(options.isDryRun, print);
  print(`${options.name} in the account ${account.name}${options.isDryRun ? ": what a deployment would do" : ""}`);

  const resources = listResources(configs);
  const workers = configs.map(({ name }) => name);
  const inventory = await takeInventory(api, account.id, resources, workers);
  const { record } = installation;
  const domain = options.domain === undefined ? record.domain : options.domain;
  const cdnDomain = options.cdnDomain === undefined ? record.cdnDomain : options.cdnDomain;
  const container = options.container ?? record.container;
  refuseLostDatabases({ installation, inventory }, resources);
  if (domain !== null) await checkDomain(api, account.id, domain, apiOf(configs).name);
  if (cdnDomain !== null) await checkDomain(api, account.id, cdnDomain, cdnOf(configs).name);
  const adminToken = knownAdminToken(options, env, installation, inventory, apiOf(configs));
  const given = [domain, cdnDomain];
  const formerDomains = [...record.formerDomains, record.domain, record.cdnDomain].filter(
    (former): former is string => former !== null && !given.includes(former),
  );
  const prepared: Run = {
    ...{ options, token, api, accountId: account.id, configs, installation, inventory, progress },
    ...{ adminToken, container, domain, cdnDomain, formerDomains },
  };
  await run(process.execPath, ["src/tools/build.ts"]);
  await requireDocker(prepared);
  if (!options.isDryRun) await installation.update({ domain, cdnDomain, container, formerDomains });
  return prepared;
}

/** Docker is needed where the Container's image may have changed, which an upload of its Worker brings. */
async function requireDocker(prepared: Run): Promise<void> {
  const { container, configs, inventory, progress } = prepared;
  if (!container) return;
  const settings = { ...prepared, databases: inventory.databases, addresses: addressesOf(prepared) };
  if (await isUpToDate(prepared, apiOf(configs), toDeployedConfig(apiOf(configs), settings))) return;
  try {
    await checkDocker();
  } catch (error) {
    if (!progress.isDryRun) throw error;
    progress.note(`would stop here. ${(error as Error).message}`);
  }
}

/** @throws DeployError where the Worker has a token that is not known here, and is to keep it */
function knownAdminToken(
  { isTokenRenewed }: DeployOptions,
  env: DeployEnv,
  installation: Installation,
  inventory: Inventory,
  api: WorkerConfig,
): string | undefined {
  if (isTokenRenewed) return undefined;
  const known = env.ADMIN_TOKEN || installation.operator.ADMIN_TOKEN;
  if (known !== undefined || !inventory.workers.get(api.name)?.secrets.has(OPERATOR_SECRET)) return known;
  throw new DeployError(
    `${api.name} has an operator's token already, and ${installation.operatorPath} is not here.
Set ADMIN_TOKEN to it, or have another one made: --new-admin-token`,
  );
}

/** Where the installation answers, or will. */
function addressesOf({ accountId, configs, options, domain, cdnDomain, inventory }: Run): Addresses {
  const subdomain = inventory.subdomain ?? suggestSubdomain(options.name, accountId);
  return toAddresses({ domain, cdnDomain, subdomain, apiName: apiOf(configs).name, cdnName: cdnOf(configs).name });
}

/** @returns the operator's token */
async function deployWorkers(prepared: Run, settings: DeployedSettings): Promise<string> {
  const { configs, inventory, installation, progress, options, container } = prepared;
  const adminToken = prepared.adminToken ?? makeSecret();
  // Before any Worker has it, as nobody gives it back; and before the next run could make another one.
  if (!progress.isDryRun) {
    await installation.updateOperator({ ADMIN_TOKEN: adminToken, BASE_URL: settings.addresses.apiUrl });
  }
  const secrets = chooseSecrets(
    configs.map(({ name, raw }) => {
      const present = new Set(inventory.workers.get(name)?.secrets);
      if (options.isTokenRenewed) present.delete(OPERATOR_SECRET);
      return { name, required: raw.secrets?.required ?? [], present };
    }),
    adminToken,
  );
  if (!container) progress.note("without a Container: videos get no thumbnails");
  for (const config of configs) {
    await deployWorker(prepared, config, toDeployedConfig(config, settings), secrets.get(config.name));
  }
  return adminToken;
}

async function deployWorker(
  run: Run,
  worker: WorkerConfig,
  config: Unstable_RawConfig | undefined,
  secrets: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  const { inventory, installation, progress, container, token, accountId } = run;
  const { name, path } = worker;
  if (secrets === undefined && (await isUpToDate(run, worker, config))) {
    progress.note(`Worker ${name} has not changed`);
    return;
  }
  const verb = inventory.workers.has(name) ? "update" : "make";
  const names = Object.keys(secrets ?? {});
  const withSecrets = names.length === 0 ? "" : `, with the new secrets ${names.join(", ")}`;
  await progress.change(`${verb} the Worker ${name}${withSecrets}`, async () => {
    if (config === undefined) throw new Error(`${name}: a database has no id`);
    const hash = await hashWorker(path, config, container);
    const upload = { configPath: path, config, secrets, container, token, accountId, folder: installation.folder };
    const versionId = await runWrangler(upload);
    await installation.update({ workers: { ...installation.record.workers, [name]: { hash, versionId } } });
  });
}

/**
 * Whether what is deployed of a Worker is what would be uploaded: the version that the last run finished, with its triggers, and made of
 * the same. One that was rolled back, or changed elsewhere, is not.
 * @param config undefined where a database has no id yet
 */
async function isUpToDate(
  { inventory, installation, container, options }: Run,
  { name, path }: WorkerConfig,
  config: Unstable_RawConfig | undefined,
): Promise<boolean> {
  const uploaded = installation.record.workers[name];
  if (options.isForced || config === undefined || uploaded === undefined) return false;
  if (uploaded.versionId !== inventory.workers.get(name)?.versionId) return false;
  return uploaded.hash === (await hashWorker(path, config, container));
}

function announce({ progress, installation, options }: Run, addresses: Addresses, print: (line: string) => void): void {
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

const apiOf = (configs: readonly WorkerConfig[]): WorkerConfig => withRole(configs, "api");
const cdnOf = (configs: readonly WorkerConfig[]): WorkerConfig => withRole(configs, "cdn");

function withRole(configs: readonly WorkerConfig[], role: WorkerConfig["role"]): WorkerConfig {
  const found = configs.find((config) => config.role === role);
  if (found === undefined) throw new Error(`no Worker is the ${role}`);
  return found;
}
