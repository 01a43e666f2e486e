import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackages, PACKAGES } from "../../src/tools/build/packages.ts";
import { TusServer } from "../support/client/tus-server.ts";
import { npm, packAll } from "../support/packages/pack-all.ts";

// The packages as `npm publish` would send them, installed from their tarballs into an empty folder.

const run = promisify(execFile);
const { resolve: find } = createRequire(import.meta.url);
const TSC = join(dirname(find("typescript/package.json")), "bin/tsc");
/** TypeScript 7 has no `moduleResolution` node10. */
const OLD_TSC = createRequire(find("@arethetypeswrong/core")).resolve("typescript/bin/tsc");
const { client, element, cli } = PACKAGES;
/** The tests run on a new Node, users on the machine's as well. */
const NODES = [...new Set([process.execPath, machinesNode()])].filter((path) => path !== undefined);

let folder: string;
let tarballs: Record<string, string>;

/** The `node` that npm's scripts hide. */
function machinesNode(): string | undefined {
  const folders = (process.env.PATH ?? "").split(":").filter((path) => !path.includes("node_modules"));
  return folders.map((path) => join(path, "node")).find(existsSync);
}

beforeAll(async () => {
  await buildPackages();
  folder = await mkdtemp(join(tmpdir(), "packages-"));
  tarballs = await packAll(folder);
  await writeFile(join(folder, "package.json"), "{}");
  await npm(["install", "--offline", ...Object.values(tarballs)], folder);
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) {
    await symlink(dirname(find(`${name}/package.json`)), join(folder, "node_modules", name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(Object.values(PACKAGES))("the package $name", (spec) => {
  const tarball = () => readFile(tarballs[spec.name] ?? "");

  it("The package has a README, the license and no source map", async () => {
    const files = createPackageFromTarballData(await tarball())
      .listFiles()
      .map((name) => name.replace(/^\/node_modules\/[^/]+\//, ""));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((name) => !/(^|\/)(LICENSE|[\w-]+\.(js|json|d\.ts)|README\.md)$/.test(name))).toEqual([]);
  });

  it("The package's manifest has the project's version and license, the oldest Node, and no address that does not exist", async () => {
    const read = async (path: string) => JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    const project = await read("package.json");
    const manifest = await read(join(folder, "node_modules", spec.name, "package.json"));
    expect(manifest).toMatchObject({
      name: spec.name,
      description: spec.description,
      version: project.version,
      license: project.license,
      engines: { node: `>=${spec.oldestNode}` },
      files: expect.arrayContaining(["*.js"]),
      exports: { "./package.json": "./package.json" },
    });
    for (const field of ["repository", "homepage", "private", "dependencies"])
      expect(manifest).not.toHaveProperty(field);
  });

  it("publint finds no fault in the package", async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(await tarball()).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("The package's types resolve in every mode", async () => {
    const result = await checkPackage(createPackageFromTarballData(await tarball()));
    expect(result.types === false ? [] : result.problems).toEqual([]);
    expect(result.types === false).toBe(spec === cli);
  });
});

describe("installed modules", () => {
  const UPLOAD = `
    const host = createClient({ baseUrl: process.argv[2] });
    openFile("package.json").then((file) => host.upload(file)).then(async ({ url }) => {
      const parts = [typeof createEvents(host).page, typeof createAdmin(host).shards];
      const signed = await signUrl(src("/a", { width: 2 }), process.argv[3]);
      console.log(url, typeof MediaHostError, signed, typeof MediaUpload, ...parts);
    });
  `;
  const imports = [
    `import { createClient, MediaHostError } from "${client.name}";`,
    `import { openFile } from "${client.name}/node";`,
    `import { signUrl, src } from "${client.name}/images";`,
    `import { createEvents } from "${client.name}/events";`,
    `import { createAdmin } from "${client.name}/admin";`,
    `import { MediaUpload } from "${element.name}";`,
  ].join("\n");
  const requires = imports.replace(/import (.*) from (.*);/g, "const $1 = require($2);");

  it.each(
    NODES.flatMap((node) => [
      [node, "page.mjs", imports],
      [node, "page.cjs", requires],
    ]),
  )("%s loads the modules in %s, uploads and signs; the element does nothing there", async (node, name, load) => {
    await writeFile(join(folder, name), `${load}\n${UPLOAD}`);
    await using server = await TusServer.start();
    const [id, secret] = ["0".repeat(26), "s".repeat(43)];
    const signingKey = `service_signing_${id}_${secret}`;
    const { stdout, stderr } = await run(node, [name, server.url, signingKey], { cwd: folder });
    const mac = createHmac("sha256", secret).update("variant\n/a\nw=2").digest("base64url");
    expect({ stdout: stdout.trim(), stderr }).toEqual({
      stdout: `${server.url}/form function /a?w=2&s=${id}.${mac} function function function`,
      stderr: "",
    });
    expect(server.forms.size).toBe(1);
  });

  it.each([
    ["node10", OLD_TSC, "page.ts", { module: "CommonJS", moduleResolution: "node10" }],
    ["node16, CommonJS", TSC, "page.cts", { module: "Node16", moduleResolution: "Node16" }],
    ["node16, ES modules", OLD_TSC, "page.mts", { module: "Node16", moduleResolution: "Node16" }],
    ["bundler", TSC, "page.ts", { module: "ESNext", moduleResolution: "Bundler" }],
  ])("The installed modules have their types in TypeScript (%s)", async (_, tsc, name, options) => {
    const source = `
      import { createReadStream } from "node:fs";
      import { createClient, MediaHostError, type MediaObject } from "${client.name}";
      import { openFile } from "${client.name}/node";
      import { picture, type Picture } from "${client.name}/images";
      import { createEvents } from "${client.name}/events";
      import { createAdmin } from "${client.name}/admin";
      import { type FileProgress, MediaUpload } from "${element.name}";
      const host = createClient({ baseUrl: "" });
      export async function send(web: ReadableStream<Uint8Array>): Promise<MediaObject> {
        await host.upload(Buffer.from("x"), { name: "a.png" });
        await host.upload(new ArrayBuffer(1), { name: "a.png" });
        await host.upload(createReadStream("a.png"));
        await host.upload(web, { name: "a.png" });
        // @ts-expect-error a path is no file
        await host.upload("a.png");
        const { _id } = await host.upload(await openFile("a.png"), { visibility: "private", dedupe: true });
        await host.replace(_id, await openFile("b.png"));
        // @ts-expect-error new bytes have the upload's tags
        await host.replace(_id, await openFile("b.png"), { tags: ["a"] });
        // @ts-expect-error there is no such visibility
        await host.update(_id, { visibility: "hidden" });
        await createAdmin(host).setTier("a@b.c", "pro");
        const events = createEvents(host);
        for await (const { type, data } of events.all()) if (type === "image.updated") console.log(data._id);
        // @ts-expect-error there is no such event
        await events.webhooks.set("shop", { url: "https://a.b", events: ["image.seen"] });
        return host.image(_id);
      }
      export const isOurs = (error: unknown): boolean => error instanceof MediaHostError && error.statusCode === 0;
      // @ts-expect-error a size is no text
      export const shown: Picture = picture("", { width: "1" });
      export function fill(element: MediaUpload, progress: FileProgress): string[] {
        element.token = async () => "token";
        // @ts-expect-error a number is no token
        element.token = progress.sentBytes;
        return [document.querySelector("media-upload")!, element].flatMap(({ results }) => results.map(({ url }) => url));
      }
    `;
    await writeFile(join(folder, name), source);
    expect(await findTypeErrors(tsc, [name], { ...options, types: ["node"] })).toBe("");
  });

  it("The React examples of the guide compile with the installed modules", async () => {
    const blocks = await Promise.all(
      ["quick-start", "variants"].map((page) => readFile(`docs/using/${page}.md`, "utf8")),
    );
    const examples = blocks.flatMap((text) =>
      Array.from(text.matchAll(/^```tsx\n(.*?)^```/gms), ([, code = ""]) => code),
    );
    expect(examples.length).toBeGreaterThan(2);
    const react = {
      react: [resolve("node_modules/@types/react")],
      "react/*": [resolve("node_modules/@types/react/*")],
    };
    const names = examples.map((_, at) => `example-${at}.tsx`);
    for (const [at, name] of names.entries()) await writeFile(join(folder, name), examples[at] ?? "");
    const options = { module: "ESNext", moduleResolution: "Bundler", jsx: "react-jsx", paths: react };
    expect(await findTypeErrors(TSC, names, options), examples.join("\n")).toBe("");
  });
});

/** Compiles files in the folder. @returns the compiler's messages */
async function findTypeErrors(tsc: string, files: readonly string[], options: object): Promise<string> {
  const compilerOptions = {
    strict: true,
    skipDefaultLibCheck: true,
    noEmit: true,
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    types: [],
    ...options,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((failed: { stdout: string }) => failed);
  return stdout;
}

describe("installed command line", () => {
  it.each(NODES)("%s runs it under its name", async (node) => {
    const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` };
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect((await npm(["exec", "--offline", cli.command, "--", "--version"], folder, env)).trim()).toBe(version);
    expect(await npm(["exec", "--offline", cli.command, "--", "help"], folder, env)).toContain("media-host COMMAND");
  });
});
