import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

// container/Dockerfile copies some files of src/. This test checks without Docker that they are all that the processor imports.

const REPOSITORY = new URL("../../", import.meta.url).pathname;
let app: string;

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "media-processor-image-"));
  const dockerfile = await readFile(join(REPOSITORY, "container/Dockerfile"), "utf8");
  for (const [, words = ""] of dockerfile.matchAll(/^COPY (.+)$/gm)) {
    const paths = words.split(" ");
    for (const source of await expand(paths.slice(0, -1))) await copy(source, paths.at(-1) ?? "");
  }
  await symlink(join(REPOSITORY, "node_modules"), join(app, "node_modules"));
});

afterAll(() => rm(app, { recursive: true, force: true }));

/** `*` stands for names within one folder. */
async function expand(patterns: readonly string[]): Promise<string[]> {
  const lists = patterns.map(async (pattern) => {
    if (!pattern.includes("*")) return [pattern];
    const names = await readdir(join(REPOSITORY, dirname(pattern)));
    return names
      .filter((name) => name.endsWith(basename(pattern).slice(1)))
      .map((name) => join(dirname(pattern), name));
  });
  return (await Promise.all(lists)).flat();
}

/** Copies as Docker does: into a folder that ends with a slash or exists, a folder's content into the target. */
async function copy(source: string, target: string): Promise<void> {
  const to = /\/$/.test(target) ? join(app, target, basename(source)) : join(app, target);
  await mkdir(dirname(to), { recursive: true });
  const filter = (path: string) => !path.includes("node_modules");
  await cp(join(REPOSITORY, source), to, { recursive: true, filter });
}

it("The image has every file that the processor and its jobs import", async () => {
  const imports = [
    "compress-job",
    "thumbnail/thumbnail",
    "compress",
    "preview-job",
    "preview",
    "variant-job",
    "variant",
  ].map((name) => `./container/${name}.ts`);
  // Jobs run when they are imported, and fail without a file. By then their imports were found.
  const script = `for (const path of ${JSON.stringify(imports)}) await import(path).catch((error) => {
    if (/MODULE_NOT_FOUND/.test(error.code)) throw error;
  }); console.log("found");`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: app });
  expect((await run).stdout).toContain("found");
});
