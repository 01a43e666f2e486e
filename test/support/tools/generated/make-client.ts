import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

/** Programs that upload, list and change with a client that a generator has made in `./api`. */
const PROGRAMS = {
  "openapi-typescript": `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

export async function run(baseUrl: string, key: string, file: File) {
  const client = createClient<paths, "application/json">({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
  const bodySerializer = (body: unknown) => {
    const form = new FormData();
    for (const one of (body as { file: Blob[] }).file) form.append("file", one);
    return form;
  };
  const upload = (...files: File[]) => client.POST("/images/upload", { body: { file: files }, bodySerializer });
  const { data: stored, response } = await upload(file);
  if (stored?.type !== "upload") throw new Error("one file has one result");
  const { data: batch } = await upload(file, new File(["text"], "notes.txt"));
  if (batch?.type !== "batch") throw new Error("several files have all results");
  const id = stored._id;
  const change: components["schemas"]["BulkChange"] = { ids: [id], addTags: ["made"], favorite: true };
  const { data: changed } = await client.POST("/images/bulk-update", { body: change });
  // @ts-expect-error The type must refuse a change without a selection; the service refuses it below.
  const wrong: components["schemas"]["BulkChange"] = { addTags: ["made"] };
  const { data: one } = await client.PATCH("/images/{id}", { params: { path: { id } }, body: { tags: ["made", "typed"] } });
  const { data: page } = await client.GET("/images", { params: { query: { tags: "typed", limit: 1 } } });
  const { error } = await client.POST("/images/bulk-update", { body: wrong });
  return {
    remaining: response.headers.get("X-RateLimit-Remaining"),
    failed: batch.failed.map(({ code }) => code),
    updated: changed?.updated,
    tags: one?.tags,
    listed: page?.images.map(({ originalFilename, favorite }) => ({ originalFilename, favorite })),
    code: error?.code,
  };
}
`,
  "@hey-api/openapi-ts": `
import { type BulkChange, listImages, updateImage, updateImages, uploadImages } from "./api/index.ts";
import { createClient } from "./api/client/index.ts";

export async function run(baseUrl: string, key: string, file: File) {
  const client = createClient({ baseUrl, auth: key });
  const { data: stored, response } = await uploadImages({ client, body: { file: [file] } });
  if (stored?.type !== "upload") throw new Error("one file has one result");
  const { data: batch } = await uploadImages({ client, body: { file: [file, new File(["text"], "notes.txt")] } });
  if (batch?.type !== "batch") throw new Error("several files have all results");
  const path = { id: stored._id };
  const change: BulkChange = { ids: [path.id], addTags: ["made"], favorite: true };
  const { data: changed } = await updateImages({ client, body: change });
  // @ts-expect-error The type must refuse a change without a selection; the service refuses it below.
  const wrong: BulkChange = { addTags: ["made"] };
  const { data: one } = await updateImage({ client, path, body: { tags: ["made", "typed"] } });
  const { data: page } = await listImages({ client, query: { tags: "typed", limit: 1 } });
  const { error } = await updateImages({ client, body: wrong });
  return {
    remaining: response?.headers.get("X-RateLimit-Remaining"),
    failed: batch.failed.map(({ code }) => code),
    updated: changed?.updated,
    tags: one?.tags,
    listed: page?.images.map(({ originalFilename, favorite }) => ({ originalFilename, favorite })),
    code: error?.code,
  };
}
`,
} as const;

export type Generator = keyof typeof PROGRAMS;

type Run = (baseUrl: string, key: string, file: File) => Promise<unknown>;

const GENERATE = join(import.meta.dirname, "generate.ts");
const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
    allowImportingTsExtensions: true,
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
  },
  include: ["client.ts"],
};

/**
 * Makes a client and compiles its program.
 * @param description the text of `/openapi.json`
 * @returns the compiler's messages, and the program
 */
export async function makeClient(generator: Generator, description: string) {
  await mkdir(".wrangler", { recursive: true });
  const folder = await mkdtemp(resolve(".wrangler/generated-"));
  try {
    await writeFile(join(folder, "openapi.json"), description);
    await promisify(execFile)(process.execPath, [GENERATE, generator, join(folder, "openapi.json"), folder]);
    await writeFile(join(folder, "client.ts"), PROGRAMS[generator]);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
    const messages = await new Promise<string>((done) => {
      execFile(process.execPath, [TSC, "-p", folder], (_, stdout) => done(stdout));
    });
    const outfile = join(folder, "client.mjs");
    await build({ entryPoints: [join(folder, "client.ts")], bundle: true, format: "esm", platform: "node", outfile });
    const { run } = (await import(pathToFileURL(outfile).href)) as { readonly run: Run };
    return { messages, run };
  } finally {
    await rm(folder, { recursive: true });
  }
}
