import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCli } from "../../../src/tools/build/cli.ts";
import { buildClient } from "../../../src/tools/build/client.ts";
import { buildElement } from "../../../src/tools/build/element.ts";
import { TusServer } from "../../support/client/tus-server.ts";

// The packages as npm packs them, installed from their tarballs.

const run = promisify(execFile);
const { resolve: find } = createRequire(import.meta.url);
/** TypeScript 7 has no `moduleResolution` node10. */
const OLD_TSC = createRequire(find("@arethetypeswrong/core")).resolve("typescript/bin/tsc");
const PACKAGES = [".client", ".cli", ".element"];
/** An element is for browsers, whose modules `require` does not load. */
const FOR_BROWSERS = ".element";

let folder: string;
let tarballs: string[];

/** Runs npm offline, without the settings of the `npm` that runs the tests. */
async function npm(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (name.startsWith("npm_")) delete env[name];
  return (await run("npm", [...args, "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, env })).stdout;
}

beforeAll(async () => {
  await Promise.all([buildClient(), buildCli(), buildElement()]);
  folder = await mkdtemp(join(tmpdir(), "packages-"));
  const pack = async (path: string) =>
    join(folder, (await npm(["pack", "--silent", "--pack-destination", folder], resolve(path))).trim());
  tarballs = await Promise.all(PACKAGES.map(pack));
  await writeFile(join(folder, "package.json"), "{}");
  await npm(["install", ...tarballs], folder);
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) {
    await symlink(dirname(find(`${name}/package.json`)), join(folder, "node_modules", name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(PACKAGES)("the package of %s", (path) => {
  const tarball = () => readFile(tarballs[PACKAGES.indexOf(path)] ?? "");

  it("The package has a README, the license, the project's version and no source map", async () => {
    const project = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    const packed = createPackageFromTarballData(await tarball());
    const files = packed.listFiles().map((name) => name.replace(/^\/node_modules\/[^/]+\//, ""));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
    expect(packed.packageVersion).toBe(project.version);
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
    const problems = result.types === false ? [] : result.problems;
    const expected = path === FOR_BROWSERS ? ["CJSResolvesToESM"] : [];
    expect(problems.filter(({ kind }) => !expected.includes(kind))).toEqual([]);
    expect(result.types === false).toBe(path === ".cli");
  });
});

describe("installed client", () => {
  const USE = `
    const host = createClient({ baseUrl: process.argv[2] });
    openFile("package.json").then((file) => host.upload(file)).then(({ url }) => {
      console.log(url, typeof MediaHostError);
    });
  `;

  it.each([
    ["import", "page.mjs", 'import { createClient, MediaHostError } from "edge-media-host-client";', "import"],
    ["require", "page.cjs", 'const { createClient, MediaHostError } = require("edge-media-host-client");', "require"],
  ])("The installed client uploads when loaded by %s", async (_, name, load, how) => {
    const openFile =
      how === "import"
        ? 'import { openFile } from "edge-media-host-client/node";'
        : 'const { openFile } = require("edge-media-host-client/node");';
    await writeFile(join(folder, name), `${load}\n${openFile}\n${USE}`);
    await using server = await TusServer.start();
    const { stdout } = await run(process.execPath, [name, server.url], { cwd: folder });
    expect(stdout.trim()).toBe(`${server.url}/form function`);
    expect(server.forms.size).toBe(1);
  });

  it.each([
    ["node10", "page.ts", { module: "CommonJS", moduleResolution: "node10" }],
    ["node16, CommonJS", "page.cts", { module: "Node16", moduleResolution: "Node16" }],
    ["node16, ES modules", "page.mts", { module: "Node16", moduleResolution: "Node16" }],
    ["bundler", "page.ts", { module: "ESNext", moduleResolution: "Bundler" }],
  ])("The installed client has its types in TypeScript (%s)", async (_, name, options) => {
    const source = `
      import { createReadStream } from "node:fs";
      import { createClient, MediaHostError, type MediaObject } from "edge-media-host-client";
      import { openFile } from "edge-media-host-client/node";
      const host = createClient({ baseUrl: "" });
      export async function send(web: ReadableStream<Uint8Array>): Promise<MediaObject> {
        await host.upload(Buffer.from("x"), { name: "a.png" });
        await host.upload(new ArrayBuffer(1), { name: "a.png" });
        await host.upload(createReadStream("a.png"));
        await host.upload(web, { name: "a.png" });
        // @ts-expect-error a path is no file
        await host.upload("a.png");
        const { _id } = await host.upload(await openFile("a.png"));
        return host.image(_id);
      }
      export const isOurs = (error: unknown): boolean => error instanceof MediaHostError && error.statusCode === 0;
    `;
    await writeFile(join(folder, name), source);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "ES2022",
      lib: ["ES2022"],
      types: ["node"],
      ...options,
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
    const { stdout } = await run(process.execPath, [OLD_TSC, "-p", folder]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe("");
  });
});

it("The installed command line runs under its name", async () => {
  const { stdout } = await run(join(folder, "node_modules/.bin/media-host"), ["--help"]);
  expect(stdout).toContain("media-host COMMAND");
  const { stdout: version } = await run(join(folder, "node_modules/.bin/media-host"), ["--version"]);
  expect(version.trim()).toBe((JSON.parse(await readFile("package.json", "utf8")) as { version: string }).version);
});
