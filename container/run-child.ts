import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import { collectEnds } from "./collect-ends.ts";
import { readCpuSeconds } from "./cpu-time.ts";
import { Refusal } from "./refusal.ts";

const CPU_SAMPLE_MS = 200;
/** Of a longer log only both ends are kept: what the file is comes first, what became of it last. */
const LOG_HEAD_BYTES = 64 * 1024;
const LOG_TAIL_BYTES = 192 * 1024;
const RETRY_AFTER_SECONDS = 60;
/** What a shell ends with where it cannot become the program (POSIX, 2.8.2): it may not be executed, it is not there. */
const CANNOT_START: readonly (number | null)[] = [126, 127];

export interface ChildLimits {
  timeoutSeconds: number;
  /** All its threads together. */
  cpuSeconds: number;
  /** Writable memory; also the bound where a child's allocator would ask for more. */
  memoryBytes: number;
  /** More standard output than this ends the child. */
  maxOutputBytes: number;
  /** Largest file the child may write; 0 lets it write none. */
  maxFileBytes: number;
}

export interface ChildResult {
  /** Undefined when a signal ended the child. */
  exitCode: number | undefined;
  /** The signal that ended it: this function's own, or a crash's, or that of a system short of memory. */
  endedBy: NodeJS.Signals | undefined;
  stdout: Buffer;
  /** Standard error, a character for each byte; where it is long, its first and its last lines. */
  log: string;
  /** What it had of the processors, to a fraction of a second; 0 where the system does not tell. */
  cpuSeconds: number;
  /** Set when this function ended the child. */
  stoppedBy: "timeout" | "output" | undefined;
}

// A shell sets the limits and becomes the program, so they hold from its first instruction on. Data, not address space, is what
// counts: V8 reserves far more than it ever writes to. CPU time ends a child even if this process is no longer there to do it.
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; ulimit -f "$3"; shift 3; exec "$@"';

/**
 * Runs a program to its end, in the background of this machine's other work and within limits.
 * @param files file descriptors handed to the child as 3, 4, ...
 * @throws the signal's reason when it fires (the child is killed first), Refusal 503 when the program cannot be started
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
  // Nothing of this process's environment is the child's business, except how its libraries find things.
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
    // It has ended already, or the system does not let us: a courtesy, not a limit.
  }
}

/** The first `maxBytes` of a stream, read to its end. */
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
