import type { WorkerConfig } from "./worker-configs.ts";

/** Names of the Workers' resources. */
export interface Resources {
  readonly databases: readonly string[];
  readonly buckets: readonly string[];
  /** Queues, dead-letter queues included. */
  readonly queues: readonly string[];
}

/** Every resource that a Worker names, without duplicates. */
export function listResources(configs: readonly WorkerConfig[]): Resources {
  const of = (names: (raw: WorkerConfig["raw"]) => readonly (string | undefined)[]) => {
    const all = configs.flatMap(({ raw }) => names(raw));
    return [...new Set(all.filter((name): name is string => name !== undefined))].sort();
  };
  return {
    databases: of(({ d1_databases }) => (d1_databases ?? []).map(({ database_name }) => database_name)),
    buckets: of(({ r2_buckets }) => (r2_buckets ?? []).map(({ bucket_name }) => bucket_name?.toString())),
    queues: of(({ queues }) => [
      ...(queues?.producers ?? []).map(({ queue }) => queue),
      ...(queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
    ]),
  };
}
