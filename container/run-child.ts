import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { collectEnds } from "./collect-ends.ts";
import { readCpuSeconds } from "./cpu-time.ts";
import { Refusal } from "./refusal.ts";

const CPU_SAMPLE_MS = 200;
/** A longer log keeps only its two ends: the file's description comes first, the outcome last. */
const LOG_HEAD_BYTES = 64 * 1024;
const LOG_TAIL_BYTES = 192 * 1024;
const RETRY_AFTER_SECONDS = 60;
/** A shell's exit codes if it cannot become the program (POSIX, 2.8.2): not executable, not found. */
const CANNOT_START: readonly (number | null)[] = [126, 127];

export interface ChildLimits {
  timeoutSeconds: number;
  /** CPU time of all threads together. */
  cpuSeconds: number;
  /** Writable memory. A child whose allocator asks for more is stopped, too. */
  memoryBytes: number;
  /** The most bytes of standard output. A child that writes more is ended. */
  maxOutputBytes: number;
  /** Largest file that the child may write; 0 allows none. */
  maxFileBytes: number;
}

export interface ChildResult {
  /** Undefined if a signal ended the child. */
  exitCode: number | undefined;
  /** The signal that ended the child. Its sender is this function, a crash, or a system that is short of memory. */
  endedBy: NodeJS.Signals | undefined;
  stdout: Buffer;
  /** Standard error, one character a byte. Of a long log, only the first and last lines are here. */
  log: string;
  /** CPU time that the child used, to a fraction of a second; 0 if the system does not report it. */
  cpuSeconds: number;
  /** The reason why this function ended the child. */
  stoppedBy: "timeout" | "output" | undefined;
}

// A shell sets the limits and becomes the program, so they hold from its first instruction. The limit is on data, not on address space: V8
// reserves far more than it writes. The limit on CPU time ends a child even after this process is gone.
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; ulimit -f "$3"; shift 3; exec "$@"';

/**
 * Runs a program to its end, with low priority and within limits.
 * @param files file descriptors that the child inherits as 3, 4, ...
 * @throws the signal's reason when it fires (the child is killed first), Refusal 503 if the program cannot be started
 */
export async function runChild(
  [program, ...args]: readonly [string, ...string[]],
  limits: ChildLimits,
  signal: AbortSignal,
  files: readonly number[] = [],
): Promise<ChildResult> {
  signal.throwIfAborted();
  const child = start(program, args, limits, files);
  const exited = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  let stoppedBy: ChildResult["stoppedBy"];
  let cpuSeconds = 0;
  const sampleCpu = () => {
    cpuSeconds = readCpuSeconds(child.pid) ?? cpuSeconds;
  };
  const stop = (why?: "timeout" | "output") => {
    stoppedBy ??= why;
    sampleCpu();
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => stop("timeout"), Math.max(0, limits.timeoutSeconds * 1000));
  const sampler = setInterval(sampleCpu, CPU_SAMPLE_MS);
  const onAbort = () => stop();
  signal.addEventListener("abort", onAbort);
  try {
    const [stdout, log, [exitCode, endedBy]] = await Promise.all([
      collect(child.stdout, limits.maxOutputBytes, () => stop("output")),
      collectEnds(child.stderr, LOG_HEAD_BYTES, LOG_TAIL_BYTES),
      exited.catch(() => [127, null] as const),
    ]);
    signal.throwIfAborted();
    if (CANNOT_START.includes(exitCode)) throw cannotStart(program);
    return {
      exitCode: exitCode ?? undefined,
      endedBy: endedBy ?? undefined,
      stdout,
      log: log.toString("latin1"),
      cpuSeconds,
      stoppedBy,
    };
  } finally {
    clearTimeout(timer);
    clearInterval(sampler);
    signal.removeEventListener("abort", onAbort);
  }
}

function cannotStart(program: string): Refusal {
  console.error(JSON.stringify({ event: "program cannot be started", program }));
  return new Refusal(503, `${basename(program)} cannot be started`, RETRY_AFTER_SECONDS);
}

function start(program: string, args: readonly string[], limits: ChildLimits, files: readonly number[]): ChildProcess {
  const stdio = ["ignore" as const, "pipe" as const, "pipe" as const, ...files];
  // The child gets nothing of this process's environment except the paths that its libraries need.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH };
  if (process.platform === "win32") return spawn(program, args, { stdio });
  const kib = String(Math.floor(limits.memoryBytes / 1024));
  const fileBlocks = String(Math.ceil(limits.maxFileBytes / 512));
  const shell = ["-c", LIMITED, "sh", kib, String(limits.cpuSeconds), fileBlocks, program, ...args];
  const child = spawn("/bin/sh", shell, { stdio, env });
  if (child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The child has ended, or the system forbids it. The lower priority is not required.
  }
}

/** Reads a stream to its end and returns its first `maxBytes`. */
async function collect(stream: Readable | null, maxBytes: number, onExcess?: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) {
    const room = maxBytes - sizeBytes;
    if (chunk.length > room) onExcess?.();
    if (room > 0) chunks.push(chunk.subarray(0, room));
    sizeBytes += Math.min(chunk.length, room);
  }
  return Buffer.concat(chunks);
}
