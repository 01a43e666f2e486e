import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { run } from "./run.ts";
import { signalGroup, stopGroup } from "./stop-group.ts";

/**
 * The processes that the local stack has started. Each leads a process group, which is stopped with all that it has started
 * itself. A guard (`end-with-parent.ts`) stops them where this process is killed and cannot do it.
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

  /** Runs a command to its end. @throws Error with what it printed where it fails */
  run(command: string, args: readonly string[]): Promise<void> {
    return run(command, args, (...call) => this.spawn(...call));
  }

  /** Stops every process, and lets none start any more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#running].map(stopGroup));
  }

  /** Ends every process without asking. */
  kill(): void {
    this.#stopping = true;
    for (const { pid } of this.#running) if (pid !== undefined) signalGroup(pid, "SIGKILL");
  }
}

/** The end of its standard input tells the guard that this process has ended. */
function startGuard(): ChildProcess {
  const guard = spawn(process.execPath, ["src/tools/local/end-with-parent.ts"], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // A guard that was ended by somebody is missed only where this process is killed, too.
  guard.stdin?.on("error", () => undefined);
  guard.unref();
  return guard;
}
