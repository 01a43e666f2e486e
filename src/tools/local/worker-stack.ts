import type { ChildProcess } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { Children } from "./children.ts";
import { readDevVars } from "./dev-vars.ts";
import { QUIET_ENV } from "./quiet-env.ts";

const READY_TIMEOUT_MS = 90_000;
/** The image is built first. */
const READY_WITH_CONTAINERS_MS = 15 * 60_000;
const CONFIG = "wrangler.toml";
/** Beside the other one, as the paths in it are relative. */
const CONTAINERS_CONFIG = ".wrangler-containers.toml";
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
  "TURNSTILE_VERIFY_URL",
  "METRICS_FLUSH_SECONDS",
  "REQUEST_LOG",
  "DNS_RESOLVER_URL",
  "WEBHOOK_ALLOW_PRIVATE",
];

export interface StackOptions {
  readonly port: number;
  readonly stateDir: string;
  /** Empty: the Container does it. */
  readonly mediaProcessorUrl: string;
  readonly enableContainers?: boolean;
  /** Beside this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The three Workers, their queues, D1, R2 and Durable Objects in one `wrangler dev`.
 * @returns its process, when the database's schema is up to date and `GET /health` answers 200
 * @throws Error where it ends before, or takes too long
 */
export async function startWorkers(
  { port, stateDir, mediaProcessorUrl, enableContainers = false, env = {} }: StackOptions,
  children: Children,
): Promise<ChildProcess> {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : ["--var", `${name}:${value}`];
  });
  const config = enableContainers ? await writeContainersConfig() : CONFIG;
  const args = [
    ...["dev", "-c", config, "-c", "src/cdn/wrangler.toml", "-c", "src/codecs/wrangler.toml"],
    ...["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"],
    ...["--persist-to", stateDir, "--log-level", "warn", "--show-interactive-dev-session=false"],
    ...passedOn,
    ...["--var", `MEDIA_PROCESSOR_URL:${mediaProcessorUrl}`, "--var", `MEDIA_SOURCE_URL:http://127.0.0.1:${port}`],
  ];
  const child = children.spawn("wrangler", args, {
    env: { ...QUIET_ENV, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (enableContainers) child.once("exit", () => void rm(CONTAINERS_CONFIG, { force: true }));
  const timeoutMs = enableContainers ? READY_WITH_CONTAINERS_MS : READY_TIMEOUT_MS;
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(child, `${baseUrl}/health`, timeoutMs);
  await updateSchema(baseUrl);
  return child;
}

/** As `npm run admin -- migrate` does. */
async function updateSchema(baseUrl: string): Promise<void> {
  const headers = { Authorization: `Bearer ${readDevVars().get("ADMIN_TOKEN")}` };
  const answer = await fetch(`${baseUrl}/admin/schema`, { method: "POST", headers });
  if (!answer.ok) throw new Error(`The database's schema cannot be brought up to date: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** With `--enable-containers` alone wrangler builds the image where DOCKER_HOST says, and has workerd look for it somewhere else. */
async function writeContainersConfig(): Promise<string> {
  const config = await readFile(CONFIG, "utf8");
  const enabled = config.replace(/^enable_containers = false$/m, "enable_containers = true");
  if (enabled === config) throw new Error(`${CONFIG} does not say enable_containers = false`);
  await writeFile(CONTAINERS_CONFIG, enabled);
  return CONTAINERS_CONFIG;
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
