import { readDatabaseBytes } from "../../db/database-bytes.ts";
import { ping } from "../../db/directory/directory.ts";
import { within } from "../../isolate/calls.ts";
import type { Services } from "../context.ts";

/** @throws Error if the directory does not answer */
export async function checkHealth({ directory }: Services): Promise<void> {
  await ping(directory);
}

/** A dependency that does not answer in this time is down. */
const DEADLINE_MS = 2000;
/** An isolate reuses its findings for this long, so that anonymous requests cost nothing. */
const KEPT_MS = 5000;
/** While one request checks, others get the previous findings if they are not older than this. */
const STALE_MS = 60_000;
/** A key that no file has. */
const MISSING_KEY = "health/none";

export interface Dependency {
  readonly name: string;
  readonly isUp: boolean;
  /** False if only thumbnails need it. */
  readonly isVital: boolean;
  readonly milliseconds: number;
  /** The version of ffmpeg, for the media processor. */
  readonly ffmpeg?: string | undefined;
}

let last: { readonly at: number; readonly dependencies: readonly Dependency[] } | undefined;
let askingSince = Number.NEGATIVE_INFINITY;

/** Checks every dependency concurrently, each for two seconds at most. The findings are kept for some seconds. */
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

/** Makes the next call check again. */
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
  const askProcessor = async (): Promise<Dependency> => {
    let ffmpeg: string | undefined;
    const found = await ask(
      "processor",
      async () => {
        ffmpeg = await processor.ping();
      },
      false,
    );
    return { ...found, ffmpeg };
  };
  return Promise.all([
    ask("directory", () => ping(directory)),
    ...libraries.shards.map((shard) => ask(`library-${shard}`, () => readDatabaseBytes(libraries.open(shard)))),
    ask("files", async () => files.head(MISSING_KEY)),
    ask("meter", async () => serviceMeter().ping()),
    ask("queue", async () => queues.uploads.metrics()),
    ask("codecs", () => processor.pingCodecs()),
    askProcessor(),
  ]);
}
