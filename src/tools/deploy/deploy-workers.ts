import type { Unstable_RawConfig } from "wrangler";
import { chooseSecrets, makeSecret, OPERATOR_SECRET } from "./choose-secrets.ts";
import { pullBase } from "./container-base.ts";
import { type DeployedSettings, toDeployedConfig } from "./deployed-config.ts";
import { type Deployment, listHolders } from "./deployment.ts";
import { isUpToDate } from "./is-up-to-date.ts";
import { describeRotation, finishedRotation, type Rotation, rotatedSecrets } from "./rotation.ts";
import { runWrangler } from "./run-wrangler.ts";
import type { WorkerConfig } from "./worker-configs.ts";
import { hashWorker } from "./worker-hash.ts";

/**
 * Uploads the changed Workers, in their order, with the secrets that they lack.
 * @returns the operator's token
 * @throws DeployError with wrangler's message
 */
export async function deployWorkers(run: Deployment, settings: DeployedSettings): Promise<string> {
  const { configs, installation, progress, options, rotation } = run;
  const adminToken = run.adminToken ?? makeSecret();
  // Stored before any Worker has the token, because Cloudflare never returns it.
  if (!progress.isDryRun) {
    await installation.updateOperator({ ADMIN_TOKEN: adminToken, BASE_URL: settings.addresses.apiUrl });
  }
  const holders = listHolders(run).map((holder) =>
    options.isTokenRenewed
      ? { ...holder, present: new Set([...holder.present].filter((name) => name !== OPERATOR_SECRET)) }
      : holder,
  );
  const secrets = chooseSecrets(holders, adminToken);
  if (rotation !== undefined) {
    if (!progress.isDryRun) await installation.beginRotation(rotation);
    for (const [name, fresh] of rotatedSecrets(rotation, holders))
      secrets.set(name, { ...secrets.get(name), ...fresh });
  }
  if (!settings.container) progress.note("without a Container: videos get no thumbnails");
  for (const worker of configs) {
    await deployWorker(run, worker, toDeployedConfig(worker, settings), secrets.get(worker.name));
  }
  if (rotation === undefined || progress.isDryRun) return adminToken;
  await finish(rotation, run);
  // All isolates know the operator's previous token, unless it is refused now.
  return rotation.name === OPERATOR_SECRET && rotation.slots.length === 2 ? rotation.value : adminToken;
}

/** Every step may run again, so the next run finishes an interrupted rotation. */
async function finish(rotation: Rotation, { installation, progress }: Deployment): Promise<void> {
  const rotations = { ...installation.record.rotations, [rotation.name]: finishedRotation(rotation) };
  await installation.update({ rotations });
  if (rotation.name === OPERATOR_SECRET) await installation.updateOperator({ ADMIN_TOKEN: rotation.value });
  await installation.endRotation();
  progress.note(describeRotation(rotation));
}

async function deployWorker(
  run: Deployment,
  worker: WorkerConfig,
  config: Unstable_RawConfig | undefined,
  secrets: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  const { inventory, installation, progress, container, token, accountId } = run;
  const { name, path: configPath } = worker;
  const isCurrent = await isUpToDate(run, worker, config);
  if (secrets === undefined && isCurrent) {
    progress.note(`Worker ${name} has not changed`);
    return;
  }
  const verb = inventory.workers.has(name) ? "update" : "make";
  const withSecrets = secrets === undefined ? "" : `, with the new secrets ${Object.keys(secrets).join(", ")}`;
  // New secrets of an unchanged Worker do not change its Container, so they need no Docker.
  const hasImage = container && !isCurrent && (worker.raw.containers ?? []).length > 0;
  if (hasImage && run.isBaseOutdated) await progress.change("pull the Container's base", pullBase);
  await progress.change(`${verb} the Worker ${name}${withSecrets}`, async () => {
    if (config === undefined) throw new Error(`${name}: a database has no id`);
    const hash = await hashWorker(configPath, config, container);
    const { folder } = installation;
    const versionId = await runWrangler({
      configPath,
      config,
      secrets,
      token,
      accountId,
      folder,
      container: container && !isCurrent,
    });
    await installation.update({ workers: { ...installation.record.workers, [name]: { hash, versionId } } });
    if (hasImage) await installation.update({ containerBase: run.containerBase });
  });
}
