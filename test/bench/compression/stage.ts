import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";
import { type Stack, startBare } from "../../support/stack/miniflare.ts";

const CODECS = "bench-codecs";

/** A bare Worker in front of the Codec Worker. */
export async function startCompression(): Promise<Stack> {
  const serviceBindings = { CODECS: { name: CODECS, entrypoint: "Codecs" }, CODECS_MEMORY: CODECS };
  return startBare("compression.ts", { serviceBindings }, [
    {
      name: CODECS,
      modules: await bundleWorker("test/bench/bare/codecs.ts", { minify: false }),
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
    },
  ]);
}
