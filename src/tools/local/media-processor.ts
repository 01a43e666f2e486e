import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Children } from "./children.ts";

const READY_TIMEOUT_MS = 20_000;
const FIRST_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
/** A process that has run for this long had started well, so the next restart need not wait. */
const SOUND_AFTER_MS = 60_000;

export interface MediaProcessorOptions {
  /** The only origins from which it may fetch videos, separated by commas. */
  readonly sourceOrigins: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/**
 * Starts the media processor (`container/`) as a plain process on loopback.
 * @returns the process and its port
 * @throws Error if it ends before it listens, or takes too long
 */
export async function startMediaProcessor(
  { sourceOrigins, port }: MediaProcessorOptions,
  children: Children,
): Promise<{ readonly process: ChildProcess; readonly port: number }> {
  const child = children.spawn(process.execPath, ["container/server.ts"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: String(port), SOURCE_ORIGINS: sourceOrigins },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("the media processor has no output");
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
  try {
    for await (const line of createInterface(child.stdout)) return { process: child, port: readPort(line) };
  } finally {
    clearTimeout(timer);
    // The rest of the output is read, so that it does not fill the pipe.
    child.stdout.resume();
  }
  throw new Error("the media processor ended before it listened");
}

/** A media processor that is restarted on its port whenever it ends. If it ends soon, the next restart waits longer. */
export async function keepMediaProcessor(sourceOrigins: string, children: Children): Promise<{ readonly url: string }> {
  const { process: first, port } = await startMediaProcessor({ sourceOrigins, port: 0 }, children);
  void restartForever(first, { sourceOrigins, port }, children);
  return { url: `http://127.0.0.1:${port}` };
}

async function restartForever(first: ChildProcess, options: MediaProcessorOptions, children: Children): Promise<void> {
  let running: ChildProcess | undefined = first;
  for (let delayMs = FIRST_RESTART_MS; ; delayMs = Math.min(MAX_RESTART_MS, delayMs * 2)) {
    const startedAt = Date.now();
    if (running !== undefined) await untilExit(running);
    if (children.stopping) return;
    if (Date.now() - startedAt > SOUND_AFTER_MS) delayMs = FIRST_RESTART_MS;
    console.error(`warning: the media processor stopped; it starts again in ${delayMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (children.stopping) return;
    running = await startMediaProcessor(options, children).then(
      ({ process: child }) => child,
      () => undefined,
    );
  }
}

/** The process may have ended already. */
async function untilExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function readPort(line: string): number {
  return (JSON.parse(line) as { listening: number }).listening;
}
