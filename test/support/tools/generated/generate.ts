import { readFile, writeFile } from "node:fs/promises";
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * `node generate.ts GENERATOR DESCRIPTION FOLDER`: makes a client from a description. TypeScript 7 has no JavaScript API, which both
 * generators use, so they get the TypeScript of another package.
 */

const [generator, description = "", folder = ""] = process.argv.slice(2);
const { resolve } = createRequire(createRequire(import.meta.url).resolve("@arethetypeswrong/core/package.json"));
const typescript = pathToFileURL(resolve("typescript")).href;

interface TypeScript {
  readonly default: { readonly factory: { createTypeReferenceNode(name: string): never } };
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? { url: typescript, shortCircuit: true } : next(specifier, context),
});

if (generator === "openapi-typescript") {
  const { default: generate, astToString } = await import("openapi-typescript");
  const { default: ts } = (await import(typescript)) as TypeScript;
  const file = ts.factory.createTypeReferenceNode("Blob");
  const nodes = await generate(await readFile(description, "utf8"), {
    transform: ({ format }) => (format === "binary" ? file : undefined),
  });
  await writeFile(`${folder}/api.ts`, astToString(nodes));
} else {
  const { createClient } = await import("@hey-api/openapi-ts");
  await createClient({
    input: description,
    output: `${folder}/api`,
    plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
    logs: { level: "silent" },
  });
}
