import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { buildPackage } from "../../../src/tools/build/build-package.ts";
import { PACKAGES } from "../../../src/tools/build/packages.ts";

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
  /** `open`: a pipe that the test writes to, and ends. */
  readonly stdin?: "open";
  readonly cwd?: string;
}

/** The built command line on a user's machine with its own home folder. */
export class CliUser implements AsyncDisposable {
  readonly home: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  private constructor(home: string, env: Readonly<Record<string, string | undefined>>) {
    this.home = home;
    this.#env = env;
  }

  /** @param env for every run, in addition to the home folder's */
  static async create(env: Readonly<Record<string, string | undefined>> = {}): Promise<CliUser> {
    await buildPackage(PACKAGES.cli);
    return new CliUser(await realpath(await mkdtemp(join(tmpdir(), "media-host-cli-"))), env);
  }

  path(...names: string[]): string {
    return join(this.home, ...names);
  }

  get configPath(): string {
    return this.path("config", "media-host", "config.json");
  }

  get statePath(): string {
    return this.path("state", "media-host", "uploads.jsonl");
  }

  /** The environment of every run. */
  get env(): Readonly<Record<string, string | undefined>> {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      XDG_CONFIG_HOME: this.path("config"),
      XDG_STATE_HOME: this.path("state"),
      ...this.#env,
    };
  }

  /** Starts the command line in the home folder. Its standard input, if any, is a pipe. */
  start(args: readonly string[], { env, input, stdin, cwd = this.home }: RunOptions = {}): ChildProcess {
    const child = spawn(process.execPath, [resolve(".cli/media-host.js"), ...args], {
      cwd,
      env: { ...this.env, ...env } as unknown as NodeJS.ProcessEnv,
      stdio: [input === undefined && stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    child.stdin?.on("error", () => undefined);
    if (stdin === undefined) child.stdin?.end(input);
    return child;
  }

  async run(args: readonly string[], options?: RunOptions): Promise<CliRun> {
    return endOf(this.start(args, options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Waits until it has ended. */
export async function endOf(child: ChildProcess): Promise<CliRun> {
  if (child.stdout === null || child.stderr === null) throw new Error("Its output is not piped");
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { exitCode, stdout, stderr };
}
