import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DemoAccounts } from "../../../src/tools/local/demo-accounts.ts";
import { findFreePort } from "./free-port.ts";
import { descendants, isAlive, waitUntilGone } from "./processes.ts";

const READY = "Ctrl-C stops everything.";
const READY_TIMEOUT_MS = 100_000;
/** Tests that wait until a view is counted should not wait for long. */
const VIEWS = { VIEW_FLUSH_SECONDS: "1" };

/** The stack that `npm start` brings up, on a free port and with its own state folder. */
export class Stack {
  readonly baseUrl: string;
  readonly stateDir: string;
  readonly #port: number;
  readonly #env: Record<string, string>;
  #process: ChildProcess | undefined;

  private constructor(port: number, stateDir: string, env: Record<string, string>) {
    this.#port = port;
    this.baseUrl = `http://localhost:${port}`;
    this.stateDir = stateDir;
    this.#env = env;
  }

  static async start(env: Record<string, string> = {}): Promise<Stack> {
    const stack = new Stack(await findFreePort(), await mkdtemp(join(tmpdir(), "media-host-e2e-")), env);
    await stack.restart();
    return stack;
  }

  /** Restarts the stack on the same port and state. @param env overrides or extends the first start's */
  async restart(env: Record<string, string> = {}): Promise<void> {
    const child = spawn(process.execPath, ["src/tools/start.ts"], {
      env: { ...process.env, ...VIEWS, ...this.#env, ...env, PORT: String(this.#port), STATE_DIR: this.stateDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    let output = "";
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`The stack was not ready in time:\n${output}`)),
        READY_TIMEOUT_MS,
      );
      const listen = (data: Buffer) => {
        output += data;
        if (!output.includes(READY)) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on("data", listen);
      child.stderr.on("data", listen);
      child.once("exit", () => reject(new Error(`The stack ended before it was ready:\n${output}`)));
    });
    await ready;
  }

  /** The process that started all others. */
  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error("The stack does not run");
    return pid;
  }

  async demoAccounts(): Promise<DemoAccounts> {
    return JSON.parse(await readFile(join(this.stateDir, "demo-accounts.json"), "utf8"));
  }

  /** Moves an account, whose e-mail may be unverified, to a tier. */
  async setTier(email: string, tier: string): Promise<void> {
    const [, id = ""] = /_id: '(\w+)'/.exec(await this.admin("show", email)) ?? [];
    await this.admin("set-tier", email, tier, id);
  }

  /** The output of `npm run admin -- ARGS`. @throws with `code` and `stderr` if it fails */
  async admin(...args: string[]): Promise<string> {
    const env = { ...process.env, BASE_URL: this.baseUrl };
    return (await promisify(execFile)(process.execPath, ["src/cli/admin.ts", ...args], { env })).stdout;
  }

  /** Kills every process of the stack, as a power cut does. */
  async kill(): Promise<void> {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    const pids = [pid, ...(await descendants(pid))];
    for (const victim of pids.filter(isAlive)) process.kill(victim, "SIGKILL");
    await waitUntilGone(pids);
  }

  /** Ends the stack as Ctrl-C does. @returns the exit code and the processes that were left behind */
  async stop(): Promise<{ exitCode: number | null; left: number[] }> {
    const child = this.#process;
    if (child?.pid === undefined) throw new Error("The stack does not run");
    const pids = await descendants(child.pid);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const [exitCode] = await ended;
    this.#process = undefined;
    // The system still has to remove killed orphans.
    await waitUntilGone(pids);
    return { exitCode, left: pids.filter(isAlive) };
  }

  /** Ends all running processes and removes the state. */
  async dispose(): Promise<void> {
    if (this.#process !== undefined) await this.kill();
    await rm(this.stateDir, { recursive: true, force: true });
  }
}
