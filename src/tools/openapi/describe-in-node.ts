import { registerHooks } from "node:module";

/** The address of `npm start`. */
const ADDRESS = new URL("http://localhost:8787/openapi.json");

const PLATFORM = "export class DurableObject {}; export class WorkerEntrypoint {}; export const env = {};";

/** The description of the API, made in Node from the Worker's sources: the platform's modules, the migrations and the engine are empty. */
export async function describeInNode() {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith("cloudflare:") ? { url: specifier, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) => {
      if (url.startsWith("cloudflare:")) return { format: "module", source: PLATFORM, shortCircuit: true };
      if (/\.(sql|wasm)$/.test(url)) return { format: "module", source: 'export default ""', shortCircuit: true };
      return next(url, context);
    },
  });
  try {
    const { createApp } = await import("../../app.ts");
    const { describeOpenApi } = await import("../../api/openapi/serve-openapi.ts");
    return describeOpenApi(createApp(), ADDRESS);
  } finally {
    hooks.deregister();
  }
}
