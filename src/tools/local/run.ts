import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const STOP_GRACE_MS = 8000;

/** Wrangler must not ask, report or look for updates. */
export const QUIET_ENV = {
  ...process.env,
  CI: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_UPDATE_NOTIFIER: "1",
  // `request.cf` is not used; asking for it needs the internet.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** Runs a command to its end. @throws Error with what it printed where it fails */
export async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { env: QUIET_ENV, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output}`);
}

/** Stops a child that leads a process group of its own, with all that it started. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const { pid } = child;
  const ended = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, "exit");
  signalGroup(pid, "SIGTERM");
  const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
  // The leader is gone; whoever of its group is left has nothing to wait for.
  signalGroup(pid, "SIGKILL");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
