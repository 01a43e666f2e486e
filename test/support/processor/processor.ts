import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { Children } from "../../../src/tools/local/children.ts";
import { listProcesses } from "../stack/processes.ts";

const READY_TIMEOUT_MS = 20_000;

export interface Compressed {
  bytes: Buffer;
  contentType: string | null;
  width: number;
  height: number;
}

export interface ThumbnailTask {
  source: string;
  type: string;
  width?: number;
  quality?: number;
  atSeconds?: number;
}

/** The media processor as a process, with its own folder for temporary files. */
export class Processor implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, process: ChildProcess, folder: string) {
    this.url = url;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(env: Record<string, string> = {}): Promise<Processor> {
    const folder = await mkdtemp(join(tmpdir(), "processor-test-"));
    const child = new Children().spawn(process.execPath, ["container/server.ts"], {
      env: { ...process.env, PORT: "0", TMPDIR: folder, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (child.stdout === null) throw new Error("The media processor has no output");
    const [line] = await once(child.stdout, "data", { signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
    const { listening } = JSON.parse(String(line));
    return new Processor(`http://127.0.0.1:${listening}`, child, folder);
  }

  async compress(type: string, quality: number, body: Uint8Array): Promise<Response> {
    return this.post(`/compress?type=${type}&quality=${quality}`, body);
  }

  /** Compresses a file that must be compressible. */
  async compressed(type: string, body: Uint8Array, quality = 65): Promise<Compressed> {
    const response = await this.compress(type, quality, body);
    expect(response.status, await response.clone().text()).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(Number(response.headers.get("Content-Length"))).toBe(bytes.length);
    return {
      bytes,
      contentType: response.headers.get("Content-Type"),
      width: Number(response.headers.get("Media-Width")),
      height: Number(response.headers.get("Media-Height")),
    };
  }

  /** The reason in a permanent refusal. */
  async reasonToKeep(type: string, body: Uint8Array): Promise<string> {
    return reasonOf(await this.compress(type, 65, body), 422);
  }

  async thumbnail(
    { source, type, width = 640, quality = 80, atSeconds }: ThumbnailTask,
    signal?: AbortSignal,
  ): Promise<Response> {
    const body = JSON.stringify({ source, type, width, quality, atSeconds });
    return this.post("/thumbnail", Buffer.from(body), { signal: signal ?? null });
  }

  async post(path: string, body: Uint8Array, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { method: "POST", body: new Uint8Array(body), ...init });
  }

  /** The temporary files that exist now. */
  async listFiles(): Promise<string[]> {
    return readdir(this.#folder);
  }

  /** The number of processes that the processor runs now. */
  async countChildren(): Promise<number> {
    return (await this.listChildren()).length;
  }

  /** The ids of the processes that the processor runs now. */
  async listChildren(): Promise<number[]> {
    const processes = await listProcesses();
    return processes.filter(({ parentPid }) => parentPid === this.#process.pid).map(({ pid }) => pid);
  }

  /** Waits until this number of processes runs. @throws an assertion if it never does */
  async untilChildren(count: number, timeoutMs = 5000): Promise<void> {
    await expect.poll(() => this.countChildren(), { timeout: timeoutMs, interval: 20 }).toBe(count);
  }

  /**
   * Ends the processor. SIGTERM lets running jobs end, as the platform requires; SIGINT does not.
   * @returns the exit code, and the seconds that it took
   */
  async stop(signal: "SIGTERM" | "SIGINT" = "SIGINT"): Promise<{ exitCode: number | null; seconds: number }> {
    const started = performance.now();
    const exited = once(this.#process, "exit");
    this.#process.kill(signal);
    const [exitCode] = await exited;
    return { exitCode, seconds: (performance.now() - started) / 1000 };
  }

  /** Kills the processor without a signal to its children, like a system that is short of memory. */
  async kill(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The reason in an answer of this status. */
export async function reasonOf(response: Response, status: number): Promise<string> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  const { reason } = JSON.parse(text);
  expect(reason).toBeTypeOf("string");
  return reason;
}
