import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";
import { type Stack, type StackOptions, startBare } from "../../support/stack/miniflare.ts";

/** The Codec Worker behind `bare/variants.ts`, in a fresh workerd. */
export async function startVariants(options: StackOptions = {}): Promise<Stack> {
  const serviceBindings = { CODECS: { name: "bench-codecs", entrypoint: "Codecs" } };
  const codecs = {
    name: "bench-codecs",
    modules: await bundleWorker("src/codecs/worker.ts", { minify: false }),
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
  };
  return startBare("variants.ts", { serviceBindings }, [codecs], options);
}
