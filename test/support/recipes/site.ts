import { type ChildProcess, execFile, spawn } from "node:child_process";
import { appendFile, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "../stack/free-port.ts";
import { descendants, isAlive, waitUntilGone } from "../stack/processes.ts";
import { type Recipe, type RecipeFile, readRecipe } from "./read-recipe.ts";

const run = promisify(execFile);
const READY_TIMEOUT_MS = 60_000;
/** The address of the service in the pages, which the served pages replace, too. */
const SERVICE = "http://localhost:8787";

interface SiteOptions {
  /** The page of docs/using. */
  readonly page: string;
  /** The service's address. */
  readonly baseUrl: string;
  readonly key: string;
  /** The tarball of each package, by its name. */
  readonly tarballs: Readonly<Record<string, string>>;
  /** `node_modules` with the framework, if it has one. */
  readonly frameworks?: string | undefined;
}

/** The project of a recipe in a temporary folder: built, and served on a free port of loopback. */
export class Site implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  #process: ChildProcess | undefined;
  #output = "";

  private constructor(url: string, folder: string) {
    this.url = url;
    this.#folder = folder;
  }

  /** @throws Error with the output of the command that fails, or of a server that does not answer */
  static async start(options: SiteOptions): Promise<Site> {
    const port = await findFreePort();
    const site = new Site(`http://localhost:${port}`, await mkdtemp(join(tmpdir(), "recipe-")));
    try {
      await site.#build(await readRecipe(options.page), String(port), options);
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
    return site;
  }

  async #build({ steps, start, port: written }: Recipe, port: string, options: SiteOptions): Promise<void> {
    const cwd = this.#folder;
    await installPackages(cwd, options);
    const env = environment(cwd, options);
    for (const step of steps) {
      if (typeof step === "string") await run("bash", ["-ec", step.replaceAll(written, port)], { cwd, env });
      else await writeStep(cwd, { ...step, content: step.content.replaceAll(SERVICE, options.baseUrl) });
    }
    await this.#serve(start.replace(written, port), env);
  }

  async #serve(command: string, env: NodeJS.ProcessEnv): Promise<void> {
    const child = spawn("bash", ["-c", command], { cwd: this.#folder, env, stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (this.#output += data));
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (
      !(await fetch(this.url).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${command} does not serve:\n${this.#output}`);
      await sleep(100);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pid = this.#process?.pid;
    if (pid !== undefined) {
      const pids = [pid, ...(await descendants(pid))];
      for (const each of pids.filter(isAlive)) process.kill(each, "SIGKILL");
      await waitUntilGone(pids);
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function writeStep(folder: string, { path, content, isAppended }: RecipeFile): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  await (isAppended ? appendFile : writeFile)(target, content);
}

/** Puts the packages where `npm install` of the page would. */
async function installPackages(folder: string, { tarballs, frameworks }: SiteOptions): Promise<void> {
  const modules = join(folder, "node_modules");
  // Hard links take no time and no room. Another file system gets copies.
  if (frameworks !== undefined)
    await run("cp", ["-al", frameworks, modules]).catch(() => run("cp", ["-a", frameworks, modules]));
  await writeFile(join(folder, "package.json"), "{}\n");
  for (const [name, tarball] of Object.entries(tarballs)) {
    await mkdir(join(modules, name), { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", join(modules, name), "--strip-components", "1"]);
    await copyFile(tarball, join(folder, basename(tarball)));
  }
}

/** A developer's shell after the two `export`s of docs/using/recipes.md, with Debian's Python. */
function environment(folder: string, { baseUrl, key }: SiteOptions): NodeJS.ProcessEnv {
  return {
    PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
    HOME: folder,
    HOST: "localhost",
    NO_COLOR: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    MEDIA_HOST_URL: baseUrl,
    MEDIA_HOST_KEY: key,
  } as unknown as NodeJS.ProcessEnv;
}
