import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const READY_TIMEOUT_MS = 20_000;

/**
 * The media processor (`container/`) as a plain process on loopback, which leads a process group of its own.
 * @param sourceOrigin where it may fetch videos from, and from nowhere else
 * @param onSpawn is told of the process before it is ready, so that it can be stopped
 * @returns its address
 * @throws Error where it ends before it listens, or takes too long
 */
export async function startMediaProcessor(
  sourceOrigin: string,
  onSpawn: (child: ChildProcess) => void,
): Promise<string> {
  const child = spawn(process.execPath, ["container/server.ts"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", SOURCE_ORIGINS: sourceOrigin },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onSpawn(child);
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
  try {
    for await (const line of createInterface(child.stdout)) return `http://127.0.0.1:${readPort(line)}`;
  } finally {
    clearTimeout(timer);
    // Whatever else it prints must not fill the pipe.
    child.stdout.resume();
  }
  throw new Error("the media processor ended before it listened");
}

function readPort(line: string): number {
  return (JSON.parse(line) as { listening: number }).listening;
}
