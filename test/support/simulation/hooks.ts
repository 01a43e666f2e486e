import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { PLANTED_FAULTS } from "./planted-faults.ts";

/**
 * Loads the product's own modules for the simulation, in plain Node. Modules that only the runtime has, or that work on other threads, are
 * replaced. Sizes are a thousandth. `?fault=<name>` after a module's address loads another copy of it and of all its imports, with that
 * fault in it.
 */

const ROOT = new URL("../../../", import.meta.url).href;
const STAND_INS = new URL("./stand-ins/", import.meta.url).href;

const STAND_IN_OF: Readonly<Record<string, string>> = {
  "cloudflare:workers": "cloudflare-workers.ts",
  ulid: "ulid.ts",
  [`${ROOT}src/services/auth/passwords.ts`]: "passwords.ts",
  [`${ROOT}src/services/auth/session-tokens.ts`]: "session-tokens.ts",
  [`${ROOT}src/services/auth/upload-token-secrets.ts`]: "upload-token-secrets.ts",
  [`${ROOT}src/services/imports/open-source.ts`]: "open-source.ts",
};

type Change = readonly [from: string, to: string];

/**
 * Files have bytes where real ones have kilobytes, and tiers are scaled accordingly, so that multipart uploads and full storage take no
 * time.
 */
const SCALED: Readonly<Record<string, readonly Change[]>> = {
  "src/domain/parts.ts": [["PART_BYTES = 8 * 1024 * 1024", "PART_BYTES = 2048"]],
  "src/services/uploads/receive/incoming-file.ts": [
    ["FIRST_BLOCK_BYTES = 64 * 1024", "FIRST_BLOCK_BYTES = 256"],
    ["BLOCK_BYTES = 512 * 1024", "BLOCK_BYTES = 1024"],
  ],
  "src/services/uploads/store/store-file.ts": [["SNIFFED_BYTES = 64 * 1024", "SNIFFED_BYTES = 1024"]],
  "src/domain/tiers.ts": [
    ["BYTES_PER_GB = 1024 ** 3", "BYTES_PER_GB = 8192"],
    ["operationsPerMonth: 10_000,", "operationsPerMonth: 16,"],
  ],
};

export function registerSimulationHooks(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const bare = STAND_IN_OF[specifier];
      const resolved =
        bare === undefined ? nextResolve(specifier, context) : { url: STAND_INS + bare, shortCircuit: true };
      const standIn = context.parentURL?.startsWith(STAND_INS) ? undefined : STAND_IN_OF[resolved.url];
      const url = standIn === undefined ? resolved.url : STAND_INS + standIn;
      const fault = context.parentURL && new URL(context.parentURL).searchParams.get("fault");
      const isOurs = url.startsWith(ROOT) && !url.includes("/node_modules/") && !url.includes("?");
      return { ...resolved, format: undefined, url: fault && isOurs ? `${url}?fault=${fault}` : url };
    },
    load(url, context, nextLoad) {
      if (!url.startsWith(ROOT) || url.includes("/node_modules/")) return nextLoad(url, context);
      const { pathname, searchParams } = new URL(url);
      const path = fileURLToPath(`file://${pathname}`);
      const name = `file://${pathname}`.slice(ROOT.length);
      if (path.endsWith(".sql")) {
        const source = `export default ${JSON.stringify(readFileSync(path, "utf8"))}`;
        return { format: "module", source, shortCircuit: true };
      }
      if (path.endsWith(".wasm")) {
        const bytes = JSON.stringify(readFileSync(path).toString("base64"));
        const source = `export default new WebAssembly.Module(Buffer.from(${bytes}, "base64"))`;
        return { format: "module", source, shortCircuit: true };
      }
      const faults = PLANTED_FAULTS.find((planted) => planted.name === searchParams.get("fault"))?.changes ?? {};
      const changes = [...(SCALED[name] ?? []), ...(faults[name] ?? [])];
      if (changes.length === 0 && !searchParams.has("fault")) return nextLoad(url, context);
      const source = changes.reduce((text, change) => applyChange(name, text, change), readFileSync(path, "utf8"));
      return { format: "module-typescript", source, shortCircuit: true };
    },
  });
}

/** @throws Error where the text to change is not there exactly once: the product has changed, and the change has to follow */
function applyChange(name: string, text: string, [from, to]: Change): string {
  if (text.split(from).length !== 2) throw new Error(`${name} does not have this once: ${from}`);
  return text.replace(from, () => to);
}
