import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { run } from "./run.ts";
import { signalGroup, stopGroup } from "./stop-group.ts";

/**
 * The child processes of the local stack. Each leads a process group, which is stopped as a whole. A guard (`end-with-parent.ts`) stops
 * them if this process is killed.
 */
export class Children {
  readonly #running = new Set<ChildProcess>();
  #guard: ChildProcess | undefined;
  #stopping = false;

  get stopping(): boolean {
    return this.#stopping;
  }

  /** @throws Error once `stop` was called: what starts now would be left behind */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    if (this.#stopping) throw new Error("The stack is being stopped");
    this.#guard ??= startGuard();
    const { stdin } = this.#guard;
    const child = spawn(command, args, { ...options, detached: true });
    this.#running.add(child);
    stdin?.write(`+${child.pid}\n`);
    child.once("exit", () => {
      this.#running.delete(child);
      stdin?.write(`-${child.pid}\n`);
    });
    return child;
  }

  /** Runs a command to its end. @throws Error with its output if it fails */
  run(command: string, args: readonly string[]): Promise<void> {
    return run(command, args, (...call) => this.spawn(...call));
  }

  /** Stops every process, and starts no further one. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#running].map(stopGroup));
  }

  /** Kills every process at once. */
  kill(): void {
    this.#stopping = true;
    for (const { pid } of this.#running) if (pid !== undefined) signalGroup(pid, "SIGKILL");
  }
}

/** The guard notices the end of this process by the end of its standard input. */
function startGuard(): ChildProcess {
  const guard = spawn(process.execPath, ["src/tools/local/end-with-parent.ts"], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // A missing guard matters only if this process is killed as well.
  guard.stdin?.on("error", () => undefined);
  guard.unref();
  return guard;
}
