import { createHash } from "node:crypto";
import type { Unstable_RawConfig } from "wrangler";
import { DeployError } from "./deploy-error.ts";

/** The tracked files, each next to the code whose paths it names. */
const CONFIG_FILES = [
  { path: "src/codecs/wrangler.toml", role: "codecs" },
  { path: "src/cdn/wrangler.toml", role: "cdn" },
  { path: "wrangler.toml", role: "api" },
] as const;
/** The prefix of all resource names in the tracked files. */
const TRACKED_NAME = "media-host";

/** A Worker, as its wrangler.toml describes it, with the names that the installation gives to resources. */
export interface WorkerConfig {
  /** Path of the tracked file. */
  readonly path: string;
  readonly name: string;
  /** `api` has the schema's endpoint, the accounts and the Container; files have the addresses of `cdn`. */
  readonly role: (typeof CONFIG_FILES)[number]["role"];
  readonly raw: Unstable_RawConfig;
}

/**
 * The configurations of the three Workers, the only source of their bindings.
 * @param name the prefix of resource names, instead of `media-host`
 * @throws DeployError if a resource's name lacks the prefix
 */
export async function readWorkerConfigs(name: string): Promise<WorkerConfig[]> {
  // Loaded late, because loading wrangler is slow and an option may be wrong.
  const { experimental_readRawConfig } = await import("wrangler");
  return CONFIG_FILES.map(({ path, role }) => {
    const { rawConfig } = experimental_readRawConfig({ config: path });
    const raw = renameResources(rawConfig, (given) => renamed(given, name, path));
    return { path, name: raw.name ?? "", role, raw };
  });
}

function renamed(given: string | undefined, name: string, path: string): string {
  if (given === TRACKED_NAME) return name;
  if (given?.startsWith(`${TRACKED_NAME}-`)) return name + given.slice(TRACKED_NAME.length);
  throw new DeployError(`${path}: the name "${given}" does not begin with "${TRACKED_NAME}"`);
}

/** Every name that must be unique in the account. */
function renameResources(raw: Unstable_RawConfig, rename: (given: string | undefined) => string): Unstable_RawConfig {
  const { queues, durable_objects: objects } = raw;
  return {
    ...raw,
    name: rename(raw.name),
    ...when(raw.d1_databases, (all) => ({
      d1_databases: all.map((each) => ({ ...each, database_name: rename(each.database_name) })),
    })),
    ...when(raw.r2_buckets, (all) => ({
      r2_buckets: all.map((each) => ({ ...each, bucket_name: rename(toText(each.bucket_name)) })),
    })),
    ...when(raw.ratelimits, (all) => ({
      ratelimits: all.map((each) => ({ ...each, namespace_id: toNamespace(each, rename(raw.name)) })),
    })),
    ...when(raw.services, (all) => ({ services: all.map((each) => ({ ...each, service: rename(each.service) })) })),
    ...when(queues, ({ producers = [], consumers = [] }) => ({
      queues: {
        producers: producers.map((each) => ({ ...each, queue: rename(each.queue) })),
        consumers: consumers.map((each) => ({
          ...each,
          queue: rename(each.queue),
          ...when(each.dead_letter_queue, (queue) => ({ dead_letter_queue: rename(queue) })),
        })),
      },
    })),
    ...when(objects, ({ bindings = [] }) => ({
      durable_objects: {
        bindings: bindings.map((each) => ({
          ...each,
          ...when(each.script_name, (script) => ({ script_name: rename(script) })),
        })),
      },
    })),
  };
}

/** A counter's id must be unique in the account, too, and must be a number. */
function toNamespace({ name, namespace_id: tracked }: { name: string; namespace_id: string }, worker: string): string {
  if (worker === TRACKED_NAME || worker.startsWith(`${TRACKED_NAME}-`)) return tracked;
  return String(createHash("sha256").update(`${worker} ${name}`).digest().readUInt32BE());
}

/** Bucket names may be symbols, which mean "inherited"; ours are text. */
function toText(name: unknown): string | undefined {
  return typeof name === "string" ? name : undefined;
}

function when<T, R extends object>(value: T | undefined, make: (value: T) => R): R | Record<never, never> {
  return value === undefined ? {} : make(value);
}
