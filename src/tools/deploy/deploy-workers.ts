import type { Unstable_RawConfig } from "wrangler";
import { chooseSecrets, makeSecret, OPERATOR_SECRET } from "./choose-secrets.ts";
import { type DeployedSettings, toDeployedConfig } from "./deployed-config.ts";
import { isUpToDate } from "./is-up-to-date.ts";
import type { Run } from "./run.ts";
import { runWrangler } from "./run-wrangler.ts";
import type { WorkerConfig } from "./worker-configs.ts";
import { hashWorker } from "./worker-hash.ts";

/**
 * Uploads the Workers that changed, in their order, with the secrets that they lack.
 * @returns the operator's token
 * @throws DeployError with what wrangler said
 */
export async function deployWorkers(run: Run, settings: DeployedSettings): Promise<string> {
  const { configs, inventory, installation, progress, options } = run;
  const adminToken = run.adminToken ?? makeSecret();
  // Before any Worker has it, as nobody gives it back; and before the next run could make another one.
  if (!progress.isDryRun) {
    await installation.updateOperator({ ADMIN_TOKEN: adminToken, BASE_URL: settings.addresses.apiUrl });
  }
  const holders = configs.map(({ name, raw }) => {
    const present = new Set(inventory.workers.get(name)?.secrets);
    if (options.isTokenRenewed) present.delete(OPERATOR_SECRET);
    return { name, required: raw.secrets?.required ?? [], present };
  });
  const secrets = chooseSecrets(holders, adminToken);
  if (!settings.container) progress.note("without a Container: videos get no thumbnails");
  for (const worker of configs) {
    await deployWorker(run, worker, toDeployedConfig(worker, settings), secrets.get(worker.name));
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
  const { name, path: configPath } = worker;
  if (secrets === undefined && (await isUpToDate(run, worker, config))) {
    progress.note(`Worker ${name} has not changed`);
    return;
  }
  const verb = inventory.workers.has(name) ? "update" : "make";
  const withSecrets = secrets === undefined ? "" : `, with the new secrets ${Object.keys(secrets).join(", ")}`;
  await progress.change(`${verb} the Worker ${name}${withSecrets}`, async () => {
    if (config === undefined) throw new Error(`${name}: a database has no id`);
    const hash = await hashWorker(configPath, config, container);
    const { folder } = installation;
    const versionId = await runWrangler({ configPath, config, secrets, container, token, accountId, folder });
    await installation.update({ workers: { ...installation.record.workers, [name]: { hash, versionId } } });
  });
}
