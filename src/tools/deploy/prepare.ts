import { execFile } from "node:child_process";
import { run as runCommand } from "../local/run.ts";
import { checkDomain } from "./check-domain.ts";
import { chooseNotify } from "./choose-notify.ts";
import { type Ask, chooseResidence } from "./choose-residence.ts";
import { OPERATOR_SECRET } from "./choose-secrets.ts";
import { CloudflareApi } from "./cloudflare-api.ts";
import { judgeBase } from "./container-base.ts";
import { DeployError } from "./deploy-error.ts";
import { sortByBindings } from "./deploy-order.ts";
import { DeploySteps } from "./deploy-steps.ts";
import { toDeployedConfig } from "./deployed-config.ts";
import { addressesOf, type Deployment, getWorker, listHolders } from "./deployment.ts";
import { Installation } from "./installation.ts";
import { type Inventory, takeInventory } from "./inventory.ts";
import { isUpToDate } from "./is-up-to-date.ts";
import { refuseLostDatabases } from "./make-resources.ts";
import type { DeployOptions } from "./options.ts";
import { TOKEN_HELP } from "./permissions.ts";
import { refuseBadVariables } from "./refuse-bad-variables.ts";
import { listResources } from "./resources.ts";
import { planRotation, type Rotation } from "./rotation.ts";
import { readWorkerConfigs, type WorkerConfig } from "./worker-configs.ts";

export interface DeployEnv {
  readonly CLOUDFLARE_API_TOKEN?: string | undefined;
  readonly CLOUDFLARE_ACCOUNT_ID?: string | undefined;
  readonly ADMIN_TOKEN?: string | undefined;
}

/** Checks everything, and refuses a run that would fail, before anything in the account is changed. @throws DeployError */
export async function prepare(
  options: DeployOptions,
  env: DeployEnv,
  print: (line: string) => void,
  ask: Ask | undefined,
): Promise<Deployment> {
  const token = env.CLOUDFLARE_API_TOKEN;
  if (!token) throw new DeployError(TOKEN_HELP);
  const api = new CloudflareApi(token);
  const { id: accountId, name: accountName } = await chooseAccount(api, env.CLOUDFLARE_ACCOUNT_ID || undefined);
  const installation = await Installation.open(accountId, options.name);
  const configs = sortByBindings(await readWorkerConfigs(options.name));
  refuseBadVariables(getWorker(configs, "api"));
  const progress = new DeploySteps(options.isDryRun, print);
  print(`${options.name} in the account ${accountName}${options.isDryRun ? ": plan of a deployment" : ""}`);

  const chosen = chooseSettings(options, installation);
  const resources = listResources(configs);
  const workers = configs.map(({ name }) => name);
  const inventory = await takeInventory(api, accountId, resources, workers, installation.record.place ?? options.place);
  refuseLostDatabases({ installation, inventory }, resources);
  const place = await chooseResidence(options, installation, inventory, resources, ask);
  const notify = await chooseNotify(options, installation, ask);
  if (chosen.domain !== null) await checkDomain(api, accountId, chosen.domain, getWorker(configs, "api").name);
  if (chosen.cdnDomain !== null) await checkDomain(api, accountId, chosen.cdnDomain, getWorker(configs, "cdn").name);
  const adminToken = findAdminToken(options, env, installation, inventory, getWorker(configs, "api"));
  const run: Deployment = {
    options,
    token,
    api,
    accountId,
    configs,
    installation,
    inventory,
    progress,
    adminToken,
    rotation: chooseRotation({ options, configs, inventory, installation }),
    ...chosen,
    place,
    notify,
    ...chooseBase(installation, chosen.container, progress),
  };
  await runCommand(process.execPath, ["src/tools/build.ts"]);
  const settled = await requireContainers(run);
  if (!options.isDryRun) await installation.update({ ...chosen, place, notify });
  return settled;
}

/** The rotation that was interrupted, else the one that is requested. @throws DeployError */
function chooseRotation(
  run: Pick<Deployment, "options" | "configs" | "inventory" | "installation">,
): Rotation | undefined {
  const { rotated } = run.options;
  const { record, rotation: begun } = run.installation;
  if (begun !== undefined && rotated !== undefined && begun.name !== rotated.name) {
    throw new DeployError(`The rotation of ${begun.name} was interrupted. Run npm run deploy to finish it first`);
  }
  if (begun !== undefined && !rotated?.isLeaked) return begun;
  return rotated && planRotation(rotated, listHolders(run), record.rotations?.[rotated.name], Date.now());
}

/** The day of the Container's base: the recorded one, or today if that is too long ago or unknown. */
function chooseBase({ record }: Installation, container: boolean, progress: DeploySteps) {
  const { date, outdatedDays } = judgeBase(record.containerBase, Date.now());
  if (container && outdatedDays !== undefined) {
    progress.note(`the Container's base is ${outdatedDays} days old: it is pulled and the image built again`);
  }
  return { containerBase: date, isBaseOutdated: outdatedDays !== undefined };
}

/** The domains of this run, else of the last run. @throws DeployError if two Workers have the same domain */
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
 * The stored token has priority over the environment's, which may belong to another installation.
 * @throws DeployError if the Worker has a token that is unknown here
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
    `${api.name} already has an operator token, and ${installation.operatorPath} lacks it.
Set ADMIN_TOKEN to it, or replace it: --new-admin-token`,
  );
}

/**
 * An upload of the Container's Worker may push an image, which needs Docker and the permission.
 * @returns the run; with the old base if the base is the only reason for a new image, and this machine has no Docker
 */
async function requireContainers(run: Deployment): Promise<Deployment> {
  if (!run.container) return run;
  if (await isCurrent(run)) return run;
  await run.api.call(`/accounts/${run.accountId}/containers/me`, { permission: "containers" });
  try {
    await checkDocker();
    return run;
  } catch (error) {
    const { containerBase } = run.installation.record;
    const withOldBase = containerBase === undefined ? undefined : { ...run, containerBase, isBaseOutdated: false };
    if (run.isBaseOutdated && withOldBase !== undefined && (await isCurrent(withOldBase))) {
      run.progress.note("no Docker engine answers: the old base stays. Deploy soon from a machine that has Docker");
      return withOldBase;
    }
    if (!run.progress.isDryRun) throw error;
    run.progress.note(`would stop here. ${(error as Error).message}`);
    return run;
  }
}

/** Whether the deployed API Worker has this run's Container. */
function isCurrent(run: Deployment): Promise<boolean> {
  const api = getWorker(run.configs, "api");
  const settings = { ...run, databases: run.inventory.databases, addresses: addressesOf(run) };
  return isUpToDate(run, api, toDeployedConfig(api, settings));
}

const DOCKER_TIMEOUT_MS = 15_000;

/** @throws DeployError if this machine cannot build the Container's image */
async function checkDocker(): Promise<void> {
  const error = await new Promise<Error | null>((resolve) => {
    // The program is found in the same way as by wrangler.
    execFile(process.env.WRANGLER_DOCKER_BIN ?? "docker", ["info"], { timeout: DOCKER_TIMEOUT_MS }, resolve);
  });
  if (error === null) return;
  throw new DeployError(
    `The Container's image cannot be built: no Docker engine answers ("docker info" failed).
Start Docker, or deploy with --without-container: everything works but the thumbnails of videos, which
can be made later, when you deploy --with-container.`,
  );
}

interface Account {
  readonly id: string;
  readonly name: string;
}

/**
 * The account to deploy to: the chosen account, else the token's only account.
 * @throws DeployError if there are several accounts, or none
 */
async function chooseAccount(api: CloudflareApi, chosenId: string | undefined): Promise<Account> {
  // A token of one account may not list accounts, and need not if the account is known.
  if (chosenId !== undefined) return { id: chosenId, name: chosenId };
  const accounts = await api.list<Account>("/accounts", { permission: "account" });
  const [account, ...others] = accounts;
  if (account === undefined) {
    throw new DeployError("The token reaches no account, or may not list them; set CLOUDFLARE_ACCOUNT_ID to its id.");
  }
  if (others.length === 0) return account;
  const lines = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id}   ${name}`);
  throw new DeployError(`The token reaches ${accounts.length} accounts. Set one of these:\n${lines.join("\n")}`);
}
