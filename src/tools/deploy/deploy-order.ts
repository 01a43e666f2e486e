import { DeployError } from "./deploy-error.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/**
 * The Workers in the order of their bindings: a Worker comes after the Workers that it calls and whose Durable Objects it uses.
 * @throws DeployError if Workers bind each other in a circle, because none could be deployed first
 */
export function sortByBindings(configs: readonly WorkerConfig[]): WorkerConfig[] {
  const byName = new Map(configs.map((config) => [config.name, config]));
  const sorted = new Set<WorkerConfig>();
  const visit = (config: WorkerConfig, path: readonly string[]): void => {
    if (sorted.has(config)) return;
    if (path.includes(config.name)) {
      throw new DeployError(`The Workers bind each other in a circle: ${[...path, config.name].join(" -> ")}`);
    }
    for (const name of boundWorkers(config)) {
      const bound = byName.get(name);
      if (bound !== undefined) visit(bound, [...path, config.name]);
    }
    sorted.add(config);
  };
  for (const config of configs) visit(config, []);
  return [...sorted];
}

function boundWorkers({ name, raw }: WorkerConfig): string[] {
  const services = (raw.services ?? []).map(({ service }) => service);
  const objects = (raw.durable_objects?.bindings ?? []).flatMap(({ script_name: script }) => script ?? []);
  return [...services, ...objects].filter((bound) => bound !== name);
}
