import type { ChildProcess } from "node:child_process";
import { on } from "node:events";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { BUNDLES } from "../build/workers.ts";
import type { Children } from "./children.ts";
import { readDevVars } from "./dev-vars.ts";
import { isPortFree, portTaken } from "./port.ts";
import { QUIET_ENV } from "./quiet-env.ts";
import { writeIfChanged } from "./write-if-changed.ts";

const READY_TIMEOUT_MS = 90_000;
/** The image is built first. */
const READY_WITH_CONTAINERS_MS = 15 * 60_000;
/** The folders of the three configurations, the API Worker's first, and the folder of each Worker's bundle. */
const WORKERS = [
  [".", "api"],
  ["src/cdn", "cdn"],
  ["src/codecs", "codecs"],
] as const;
/** The API Worker's variables that the environment may set. */
const PASSED_ON = [
  "CDN_URL",
  "MAX_UPLOAD_BYTES",
  "INTENT_TIMEOUT_SECONDS",
  "ADDRESS_RATE_PER_MINUTE",
  "ADDRESS_REGISTRATIONS_PER_HOUR",
  "REGISTRATION",
  "TURNSTILE_SITE_KEY",
  "TURNSTILE_HOSTNAMES",
  "AUTH_ORIGINS",
  "TURNSTILE_VERIFY_URL",
  "METRICS_FLUSH_SECONDS",
  "REQUEST_LOG",
  "DNS_RESOLVER_URL",
  "WEBHOOK_ALLOW_PRIVATE",
  "PUBLIC_URL",
  "MODERATION_URL",
  "MAIL_FROM",
  "MAIL_API_URL",
  "EMAIL_VERIFICATION",
];

export interface StackOptions {
  readonly port: number;
  readonly stateDir: string;
  /** Empty: the Container is the media processor. */
  readonly mediaProcessorUrl: string;
  readonly enableContainers?: boolean;
  /** Serves the Workers from their sources and reloads them when a source changes. Else the bundles of `npm run build` are served. */
  readonly watchSources?: boolean;
  /** Port of the Workers' inspector; 0 takes any. */
  readonly inspectorPort?: number;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the three Workers, their queues, D1, R2 and Durable Objects in one `wrangler dev`.
 * @returns its process, when the schema is up to date and `GET /health` answers 200
 * @throws Error if it ends before, for example because the port is taken, or takes too long
 */
export async function startWorkers(
  { port, stateDir, mediaProcessorUrl, inspectorPort = 0, env = {}, ...options }: StackOptions,
  children: Children,
): Promise<ChildProcess> {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : ["--var", `${name}:${value}`];
  });
  const { enableContainers = false } = options;
  const configs = await Promise.all(WORKERS.map(([folder, name]) => writeConfig(folder, name, options)));
  const args = [
    ...["dev", ...configs.flatMap((path) => ["-c", path])],
    ...["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(inspectorPort)],
    // wrangler otherwise warns at each start that it runs no nightly job.
    "--test-scheduled",
    ...["--persist-to", stateDir, "--log-level", "warn", "--show-interactive-dev-session=false"],
    ...passedOn,
    ...["--var", "MAIL_DEV:true"],
    ...["--var", `MEDIA_PROCESSOR_URL:${mediaProcessorUrl}`, "--var", `MEDIA_SOURCE_URL:http://127.0.0.1:${port}`],
  ];
  const child = children.spawn("wrangler", args, {
    env: { ...QUIET_ENV, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const timeoutMs = enableContainers ? READY_WITH_CONTAINERS_MS : READY_TIMEOUT_MS;
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitUntilListening(child, port, timeoutMs);
  await waitUntilHealthy(child, `${baseUrl}/health`, timeoutMs);
  await updateSchema(baseUrl);
  return child;
}

/** The same as `npm run admin -- migrate`. */
async function updateSchema(baseUrl: string): Promise<void> {
  const headers = { Authorization: `Bearer ${readDevVars().get("ADMIN_TOKEN")}` };
  const answer = await fetch(`${baseUrl}/admin/schema`, { method: "POST", headers });
  if (!answer.ok) throw new Error(`The database's schema cannot be brought up to date: ${await answer.text()}`);
  await answer.body?.cancel();
}

/**
 * Writes a Worker's configuration for this machine. The bundle saves each start the time to bundle. Containers need a configuration because
 * `--enable-containers` alone builds the image at DOCKER_HOST and lets workerd look elsewhere.
 * @returns its path, next to the tracked file, because paths in it are relative; the tracked file itself if nothing changes
 */
async function writeConfig(
  folder: string,
  name: string,
  { enableContainers = false, watchSources = false }: Pick<StackOptions, "enableContainers" | "watchSources">,
): Promise<string> {
  const tracked = join(folder, "wrangler.toml");
  if (watchSources) return tracked;
  const config = await readFile(tracked, "utf8");
  const main = relative(folder, join(BUNDLES, name, "worker.js"));
  const bundled = config.replace(/^main = .*$/m, `main = "${main}"\nno_bundle = true`);
  if (bundled === config) throw new Error(`${tracked} does not say main`);
  const changed = enableContainers
    ? bundled.replace(/^enable_containers = false$/m, "enable_containers = true")
    : bundled;
  if (enableContainers && name === "api" && changed === bundled)
    throw new Error(`${tracked} does not say enable_containers = false`);
  const path = join(folder, enableContainers ? ".wrangler-containers.toml" : ".wrangler-local.toml");
  await writeIfChanged(path, changed);
  return path;
}

/**
 * Waits until `wrangler dev` reports that it listens. Before that, another program may answer at the port, and the operator's token is
 * not for it.
 */
async function waitUntilListening(child: ChildProcess, port: number, timeoutMs: number): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const reports = on(child, "message", { signal, close: ["exit"] });
  try {
    for await (const [report] of reports) if (String(report).includes("DEV_SERVER_READY")) return;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`wrangler dev did not listen within ${timeoutMs / 1000} seconds`);
  }
  throw new Error((await isPortFree(port)) ? "wrangler dev ended before it was ready" : portTaken(port));
}

async function waitUntilHealthy(child: ChildProcess, url: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("wrangler dev ended before it was ready");
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} did not answer 200 within ${timeoutMs / 1000} seconds`);
}
