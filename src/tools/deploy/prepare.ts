import { run as runCommand } from "../local/run.ts";
import { chooseAccount } from "./account.ts";
import { checkDocker } from "./check-docker.ts";
import { checkDomain } from "./check-domain.ts";
import { OPERATOR_SECRET } from "./choose-secrets.ts";
import { CloudflareApi } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";
import { sortByBindings } from "./deploy-order.ts";
import { toDeployedConfig } from "./deployed-config.ts";
import { Installation } from "./installation.ts";
import { type Inventory, takeInventory } from "./inventory.ts";
import { isUpToDate } from "./is-up-to-date.ts";
import { refuseLostDatabases } from "./make-resources.ts";
import type { DeployOptions } from "./options.ts";
import { TOKEN_HELP } from "./permissions.ts";
import { Progress } from "./progress.ts";
import { refuseBadVariables } from "./refuse-bad-variables.ts";
import { listResources } from "./resources.ts";
import { addressesOf, getWorker, type Run } from "./run.ts";
import { readWorkerConfigs, type WorkerConfig } from "./worker-configs.ts";

export interface DeployEnv {
  readonly CLOUDFLARE_API_TOKEN?: string | undefined;
  readonly CLOUDFLARE_ACCOUNT_ID?: string | undefined;
  readonly ADMIN_TOKEN?: string | undefined;
}

/**
 * Looks at everything, and refuses what cannot end well before anything in the account is changed.
 * @throws DeployError
 */
export async function prepare(options: DeployOptions, env: DeployEnv, print: (line: string) => void): Promise<Run> {
  const token = env.CLOUDFLARE_API_TOKEN;
  if (!token) throw new DeployError(TOKEN_HELP);
  const api = new CloudflareApi(token);
  const { id: accountId, name: accountName } = await chooseAccount(api, env.CLOUDFLARE_ACCOUNT_ID || undefined);
  const installation = await Installation.open(accountId, options.name);
  const configs = sortByBindings(await readWorkerConfigs(options.name));
  refuseBadVariables(getWorker(configs, "api"));
  const progress = new Progress(options.isDryRun, print);
  print(`${options.name} in the account ${accountName}${options.isDryRun ? ": what a deployment would do" : ""}`);

  const chosen = chooseSettings(options, installation);
  const resources = listResources(configs);
  const workers = configs.map(({ name }) => name);
  const inventory = await takeInventory(api, accountId, resources, workers);
  refuseLostDatabases({ installation, inventory }, resources);
  if (chosen.domain !== null) await checkDomain(api, accountId, chosen.domain, getWorker(configs, "api").name);
  if (chosen.cdnDomain !== null) await checkDomain(api, accountId, chosen.cdnDomain, getWorker(configs, "cdn").name);
  const adminToken = findAdminToken(options, env, installation, inventory, getWorker(configs, "api"));
  const run: Run = {
    ...{ options, token, api, accountId, configs, installation, inventory, progress, adminToken },
    ...chosen,
  };
  await runCommand(process.execPath, ["src/tools/build.ts"]);
  await requireContainers(run);
  if (!options.isDryRun) await installation.update(chosen);
  return run;
}

/** What was asked for now, else what the run before had. @throws DeployError where one domain is to be two Workers' */
function chooseSettings(options: DeployOptions, { record }: Installation) {
  const domain = options.domain === undefined ? record.domain : options.domain;
  const cdnDomain = options.cdnDomain === undefined ? record.cdnDomain : options.cdnDomain;
  if (domain !== null && domain === cdnDomain) {
    throw new DeployError("The API's domain serves files, too: give --domain alone, with --cdn-domain none");
  }
  const formerDomains = [...record.formerDomains, record.domain, record.cdnDomain].filter(
    (former): former is string => former !== null && former !== domain && former !== cdnDomain,
  );
  return { domain, cdnDomain, formerDomains, container: options.container ?? record.container };
}

/**
 * The token that was made here comes first: one in the environment may be another installation's.
 * @throws DeployError where the Worker has a token that is not known here, and is to keep it
 */
function findAdminToken(
  { isTokenRenewed }: DeployOptions,
  env: DeployEnv,
  installation: Installation,
  inventory: Inventory,
  api: WorkerConfig,
): string | undefined {
  if (isTokenRenewed) return undefined;
  const known = installation.operator.ADMIN_TOKEN || env.ADMIN_TOKEN || undefined;
  if (known !== undefined || !inventory.workers.get(api.name)?.secrets.has(OPERATOR_SECRET)) return known;
  throw new DeployError(
    `${api.name} has an operator's token already, and ${installation.operatorPath} does not say which.
Set ADMIN_TOKEN to it, or have another one made: --new-admin-token`,
  );
}

/** Docker and the permission are needed where the Container's image may have changed, which an upload of its Worker brings. */
async function requireContainers(run: Run): Promise<void> {
  if (!run.container) return;
  const api = getWorker(run.configs, "api");
  const settings = { ...run, databases: run.inventory.databases, addresses: addressesOf(run) };
  if (await isUpToDate(run, api, toDeployedConfig(api, settings))) return;
  await run.api.call(`/accounts/${run.accountId}/containers/me`, { permission: "containers" });
  try {
    await checkDocker();
  } catch (error) {
    if (!run.progress.isDryRun) throw error;
    run.progress.note(`would stop here. ${(error as Error).message}`);
  }
}
