import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CloudflareApi } from "../cloudflare-api/cloudflare-api.ts";
import { Edge } from "../cloudflare-api/edge.ts";

export interface Outcome {
  readonly exitCode: number | null;
  /** Both streams, as the user of a terminal sees them. */
  readonly output: string;
}

/** `npm run deploy` against an emulated account, with its own folder for its state. */
export class DeployRig implements AsyncDisposable {
  readonly api: CloudflareApi;
  readonly edge: Edge;
  readonly deployDir: string;

  private constructor(api: CloudflareApi, edge: Edge, deployDir: string) {
    this.api = api;
    this.edge = edge;
    this.deployDir = deployDir;
  }

  static async start(): Promise<DeployRig> {
    const api = await CloudflareApi.start();
    return new DeployRig(api, await Edge.start(api.account), await mkdtemp(join(tmpdir(), "deploy-")));
  }

  /** Runs the command to its end. @param env undefined removes a variable */
  async deploy(args: readonly string[] = [], env: Record<string, string | undefined> = {}): Promise<Outcome> {
    const child = this.spawn(args, env);
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    const [exitCode] = (await once(child, "close")) as [number | null];
    return { exitCode, output };
  }

  /** Runs the command, which must succeed. @returns its output @throws Error with the output if it fails */
  async deployWell(args: readonly string[] = [], env: Record<string, string | undefined> = {}): Promise<string> {
    const { exitCode, output } = await this.deploy(args, env);
    if (exitCode !== 0) throw new Error(`The deployment ended with ${exitCode}:\n${output}`);
    return output;
  }

  /** @param args `--no-place` leaves the place out, which all other runs choose */
  spawn(args: readonly string[] = [], env: Record<string, string | undefined> = {}): ChildProcess {
    const routeHosts = resolve("test/support/cloudflare-api/route-hosts.ts");
    const all: Record<string, string | undefined> = {
      ...process.env,
      CLOUDFLARE_API_TOKEN: this.api.token,
      CLOUDFLARE_ACCOUNT_ID: undefined,
      CLOUDFLARE_API_BASE_URL: this.api.baseUrl,
      ADMIN_TOKEN: undefined,
      EDGE_URL: this.edge.url,
      DEPLOY_DIR: this.deployDir,
      WRANGLER_LOG_PATH: join(this.deployDir, "wrangler-logs"),
      ...env,
    };
    // The place has to be chosen once. Choosing the same place again changes nothing.
    const place = args.some((arg) => /^--(location|jurisdiction|no-place)$/.test(arg)) ? [] : ["--location", "weur"];
    const given = args.filter((arg) => arg !== "--no-place");
    return spawn(process.execPath, ["--import", routeHosts, "src/tools/deploy.ts", ...place, ...given], {
      env: all as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** The stored record of the installation. */
  async record(name = "media-host"): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(join(this.folderOf(name), "installation.json"), "utf8"));
  }

  folderOf(name = "media-host"): string {
    return join(this.deployDir, this.api.account.id, name);
  }

  /** The contents of every file that the command and wrangler have left, by path. */
  async filesLeft(): Promise<Map<string, string>> {
    const entries = await readdir(this.deployDir, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.edge[Symbol.asyncDispose]();
    await this.api[Symbol.asyncDispose]();
    await rm(this.deployDir, { recursive: true, force: true });
  }
}
