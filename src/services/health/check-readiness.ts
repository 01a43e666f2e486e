import { readDatabaseBytes } from "../../db/database-bytes.ts";
import { ping } from "../../db/directory/ping.ts";
import { within } from "../../isolate/within.ts";
import type { Services } from "../context.ts";

/** What does not answer in this time is down. */
const DEADLINE_MS = 2000;
/** An isolate asks again this much later: strangers' questions cost nothing in between. */
const KEPT_MS = 5000;
/** While one request asks, the others take the answer before, unless it is older than this. */
const STALE_MS = 60_000;
/** No file has it. */
const MISSING_KEY = "health/none";

export interface Dependency {
  readonly name: string;
  readonly isUp: boolean;
  /** Without it some requests fail; where false, it is missed by thumbnails alone. */
  readonly isVital: boolean;
  readonly milliseconds: number;
}

let last: { readonly at: number; readonly dependencies: readonly Dependency[] } | undefined;
let askingSince = Number.NEGATIVE_INFINITY;

/** Asks everything that requests stand on, at the same time and each for two seconds at most; what was found is kept for some seconds. */
export async function checkReadiness(services: Services): Promise<readonly Dependency[]> {
  const now = services.now();
  const age = now - (last?.at ?? Number.NEGATIVE_INFINITY);
  const isAsking = now - askingSince < DEADLINE_MS;
  if (last !== undefined && age < (isAsking ? STALE_MS : KEPT_MS)) return last.dependencies;
  askingSince = now;
  const dependencies = await askAll(services);
  last = { at: services.now(), dependencies };
  askingSince = Number.NEGATIVE_INFINITY;
  return dependencies;
}

/** Has the next call ask again. */
export function forgetReadiness(): void {
  last = undefined;
  askingSince = Number.NEGATIVE_INFINITY;
}

function askAll(services: Services): Promise<Dependency[]> {
  const { directory, libraries, files, processor, queues, serviceMeter } = services;
  const ask = async (name: string, question: () => Promise<unknown>, isVital = true): Promise<Dependency> => {
    const startedAt = services.now();
    const isUp = await within(DEADLINE_MS, question()).then(
      () => true,
      () => false,
    );
    return { name, isUp, isVital, milliseconds: services.now() - startedAt };
  };
  return Promise.all([
    ask("directory", () => ping(directory)),
    ...libraries.shards.map((shard) => ask(`library-${shard}`, () => readDatabaseBytes(libraries.open(shard)))),
    ask("files", async () => files.head(MISSING_KEY)),
    ask("meter", async () => serviceMeter().ping()),
    ask("queue", async () => queues.uploads.metrics()),
    ask("codecs", () => processor.pingCodecs()),
    ask("processor", () => processor.ping(), false),
  ]);
}
