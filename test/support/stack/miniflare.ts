import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { migrate } from "../../../src/db/migrate.ts";
import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";
import { readMigrations } from "./read-migrations.ts";

/** One workerd process, with one Worker in front that answers at `url`. */
export interface Stack extends AsyncDisposable {
  readonly url: URL;
  readonly miniflare: Miniflare;
}

export interface StackOptions {
  /** Whether the Workers' inspectors are open (`IsolateMemory`). */
  readonly isInspected?: boolean;
  /** Whether the Workers' log is discarded, because thousands of requests each log a line. */
  readonly isQuiet?: boolean;
  /** Whether an address may read any number of files a minute. */
  readonly isUnlimited?: boolean;
  /** Changes the code of the API Worker's bundle. */
  readonly changeCode?: (code: string) => string;
  /** The folder of its state. By default the state is deleted with the process. */
  readonly stateDir?: string;
}

export const ADMIN_TOKEN = "bench-admin-token-0123456789abcdef";

export const BENCH_SIGNING_SECRET = "bench-url-signing-secret-0123456789abcdef";
const SECRETS = {
  JWT_SECRET: "bench-jwt-secret-0123456789abcdef0123456789abcdef",
  ADMIN_TOKEN,
  URL_SIGNING_SECRET: BENCH_SIGNING_SECRET,
  RECEIPT_SECRET: "bench-receipt-secret-0123456789abcdef",
  PREVIEW_SECRET: "bench-preview-secret-0123456789abcdef",
  SIGN_IN_SECRET: "bench-sign-in-secret-0123456789abcdef",
  WEBHOOK_SECRET: "bench-webhook-secret-0123456789abcdef",
};
/** All the accounts of a test are opened from one address. */
const LIMITS = { ADDRESS_REGISTRATIONS_PER_HOUR: "100000" };
/** The log is discarded, because a line for each of thousands of requests would disturb the measurement. */
const LOG = { REQUEST_LOG: "errors" };
/** Tests that wait until a view is counted should not wait for a minute. */
const VIEWS = { VIEW_FLUSH_SECONDS: "1" };
const API = { name: "api", entry: "src/worker.ts", config: "wrangler.toml" };
const CDN = { name: "media-host-cdn", entry: "src/cdn/worker.ts", config: "src/cdn/wrangler.toml" };

const CODECS = { name: "media-host-codecs", entry: "src/codecs/worker.ts", config: "src/codecs/wrangler.toml" };

type Product = typeof API;

/** All Workers with the bindings of their wrangler.toml; the API Worker answers. @param vars of the API Worker that differ */
export async function startApi(vars: Record<string, string> = {}, options: StackOptions = {}): Promise<Stack> {
  const api = await productWorker(API, options.changeCode);
  const others = await Promise.all([CDN, CODECS].map((product) => productWorker(product)));
  const stack = await start(
    [{ ...api, bindings: { ...api.bindings, ...LIMITS, ...LOG, ...vars } }, ...others].map((worker) =>
      options.isUnlimited === true ? withoutRateLimits(worker) : worker,
    ),
    options,
  );
  await updateSchema(stack);
  return stack;
}

function withoutRateLimits(worker: V4WorkerOptions): V4WorkerOptions {
  const limits = Object.entries(worker.ratelimits ?? {}).map(([name, limit]) => [
    name,
    { ...limit, simple: { ...limit.simple, limit: 1_000_000_000 } },
  ]);
  return { ...worker, ratelimits: Object.fromEntries(limits) };
}

/** Updates the schema as `npm run admin -- migrate` does. */
async function updateSchema({ url }: Stack): Promise<void> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const answer = await fetch(new URL("/admin/schema", url), { method: "POST", headers });
  if (answer.status !== 200) throw new Error(`POST /admin/schema answered ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** The shard with an account's library. */
export async function libraryDatabase({ miniflare }: Stack, accountId: string) {
  const directory = await miniflare.getD1Database("DB");
  const shard = await directory
    .prepare("SELECT shard FROM accounts WHERE id = ?")
    .bind(accountId)
    .first<string>("shard");
  return miniflare.getD1Database(`LIBRARY_${shard}`);
}

/** The CDN Worker, with the Codec Worker that makes its variants. */
export async function startCdn(): Promise<Stack> {
  return start(await Promise.all([CDN, CODECS].map((product) => productWorker(product))));
}

/** A Worker of `test/bench/bare`, which gets R2, D1 with the schema of a shard, and the given bindings. */
export async function startBare(
  file: string,
  bindings: Pick<V4WorkerOptions, "durableObjects" | "serviceBindings" | "bindings"> = {},
  others: V4WorkerOptions[] = [],
  options: StackOptions = {},
): Promise<Stack> {
  const bare: V4WorkerOptions = {
    name: "bare",
    modules: await bundleWorker(`test/bench/bare/${file}`, { minify: false }),
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
    r2Buckets: ["FILES"],
    d1Databases: ["DB"],
    ...bindings,
  };
  const stack = await start([bare, ...others], options);
  await migrate(await stack.miniflare.getD1Database("DB"), await readMigrations("library"));
  return stack;
}

async function productWorker(
  { name, entry, config }: Product,
  changeCode = (code: string) => code,
): Promise<V4WorkerOptions> {
  // It would report the files of its secrets, which are replaced.
  process.env.WRANGLER_LOG = "error";
  // Cloudflare answers requests for assets before it calls the Worker. Miniflare's stand-in for that must not be measured.
  const {
    assets: _,
    bindings,
    ...options
  } = unstable_getMiniflareWorkerOptions(config).workerOptions as V4WorkerOptions;
  const modules = await bundleWorker(entry, { minify: false });
  return {
    ...options,
    name,
    modules: modules.map((module) =>
      module.type === "ESModule" ? { ...module, contents: changeCode(module.contents) } : module,
    ),
    bindings: { ...bindings, ...SECRETS, ...VIEWS },
  };
}

/** The first Worker gets its own socket: Miniflare's entry Worker would add to both sides, and flatter the ratio. */
async function start(
  [first, ...others]: V4WorkerOptions[],
  { isInspected = false, isQuiet = false, stateDir }: StackOptions = {},
): Promise<Stack> {
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      cf: false,
      ...(isInspected ? { inspectorPort: 0 } : {}),
      ...(isQuiet ? { handleStructuredLogs: () => undefined } : {}),
      log: new Log(LogLevel.ERROR),
      workers: [{ ...first, unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] } as V4WorkerOptions, ...others],
    }),
    ...(stateDir === undefined ? {} : { resourcePersistencePath: stateDir }),
  });
  await miniflare.ready;
  return {
    url: await miniflare.unsafeGetDirectURL(first?.name),
    miniflare,
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}
