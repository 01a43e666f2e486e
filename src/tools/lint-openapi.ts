import { registerHooks } from "node:module";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralParsers from "@stoplight/spectral-parsers";
import spectralRulesets from "@stoplight/spectral-rulesets";

/** `npm run lint-openapi`: Redocly's and Spectral's rules for the description of the API. Both have to report nothing. */

/** The address of `npm start`. */
const ADDRESS = new URL("http://localhost:8787/openapi.json");

const PLATFORM = "export class DurableObject {}; export class WorkerEntrypoint {}; export const env = {};";

const FILE = "/openapi.json";

/** An upload's id is never `upload`, and an unfinished upload takes no `POST` and no `PUT`. */
const UNAMBIGUOUS =
  /two ambiguous paths: `\/images\/upload\/\{id\}` and `\/images\/\{id\}\/(sign|content|remove-location)`/;

const description = await describeInNode();
const problems = [...(await runRedocly(description)), ...(await runSpectral(withErrorsOnce(description)))];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`openapi.json: Redocly and Spectral report nothing`);

async function runRedocly(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const source = JSON.stringify(document);
  const found = await lintFromString({ source, config, absoluteRef: FILE });
  return found
    .filter(({ message }) => !UNAMBIGUOUS.test(message))
    .map(({ ruleId, message, location }) => `${location[0]?.pointer ?? ""}: ${message} (${ruleId})`);
}

async function runSpectral(document: object): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  // A contact with an address is a rule for the operator, whose address the code does not know.
  const oas = spectralRulesets.oas as RulesetDefinition;
  spectral.setRuleset({ extends: [[oas, "all"]], rules: { "contact-properties": "off" } });
  const found = await spectral.run(new spectralCore.Document(JSON.stringify(document), spectralParsers.Json, FILE));
  return found.map(({ code, message, path }) => `${path.join("/")}: ${message} (${code})`);
}

/** The description with the first reference to each shared answer: Spectral would validate its examples at each of 800 references. */
function withErrorsOnce(document: object): object {
  const seen = new Set<string>();
  return JSON.parse(JSON.stringify(document), (_, value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const repeated = Object.entries(value).filter(([, answer]) => isRepeated(answer, seen));
    return repeated.length === 0
      ? value
      : Object.fromEntries(Object.entries(value).filter((entry) => !repeated.some(([name]) => name === entry[0])));
  });
}

function isRepeated(answer: unknown, seen: Set<string>): boolean {
  const reference = (answer as { $ref?: string } | null)?.$ref;
  if (reference === undefined || !reference.startsWith("#/components/responses/")) return false;
  if (seen.has(reference)) return true;
  seen.add(reference);
  return false;
}

/** The description of the API, made in Node from the Worker's sources: the platform's modules, the migrations and the engine are empty. */
async function describeInNode() {
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
    const { createApp } = await import("../app.ts");
    const { describeOpenApi } = await import("../api/openapi/serve-openapi.ts");
    return describeOpenApi(createApp(), ADDRESS);
  } finally {
    hooks.deregister();
  }
}
