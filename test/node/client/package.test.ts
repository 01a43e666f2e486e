import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPackage } from "../../../src/tools/build/build-package.ts";
import { PACKAGES } from "../../../src/tools/build/packages.ts";

// The client as `npm run build` makes it and as a user installs it.

const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

let folder: string;

beforeAll(async () => {
  await buildPackage(PACKAGES.client);
  await mkdir(".wrangler", { recursive: true });
  folder = await mkdtemp(resolve(".wrangler/client-package-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(resolve(".client"), join(folder, "node_modules/edge-media-host-client"));
});

afterAll(() => rm(folder, { recursive: true }));

/** @returns the compiler's messages */
async function compile(source: string, options: object): Promise<string> {
  await writeFile(join(folder, "page.ts"), source);
  const compilerOptions = { strict: true, noEmit: true, module: "ESNext", moduleResolution: "Bundler", ...options };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["page.ts"] }));
  return new Promise((done) => {
    execFile(process.execPath, [TSC, "-p", folder], (_, stdout) => done(stdout));
  });
}

it("The client's types need no types of Node in a page", async () => {
  const source = `
    import { createClient, MediaHostError, type MediaObject } from "edge-media-host-client";
    const host = createClient({ baseUrl: "", key: async () => "key" });
    export async function show(file: File): Promise<MediaObject[]> {
      const { url } = await host.upload(file, { storage: localStorage, onProgress: ({ sentBytes }) => sentBytes });
      const found: MediaObject[] = [];
      for await (const image of host.images({ tags: [url], favorite: true })) found.push(image);
      // @ts-expect-error there is no such status
      host.images({ status: "gone" });
      // @ts-expect-error a number is no name
      host.folders.create({ name: 1 });
      return found;
    }
    export const wait = (error: unknown) => error instanceof MediaHostError && error.retryAfterSeconds;
  `;
  expect(await compile(source, { target: "ES2022", lib: ["ES2022", "DOM"], types: [] })).toBe("");
});

it("The client's types match the server's schemas", async () => {
  const names = Array.from(
    (await readFile("src/client/types.ts", "utf8")).matchAll(/export type (\w+)/g),
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(40);
  const source = `
    import type * as Package from "edge-media-host-client";
    import type * as Contract from "${resolve("src/client/types.ts")}";
    type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
    ${names.map((name) => `export const is${name}: Same<Package.${name}, Contract.${name}> = true;`).join("\n")}
  `;
  const options = {
    target: "ES2024",
    lib: ["ES2024", "DOM"],
    types: [],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  expect(await compile(source, options)).toBe("");
});
