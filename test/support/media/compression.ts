import { expect } from "vitest";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import { scrub } from "../metadata/scrub.ts";
import { type RunningProcessor, startProcessor } from "../processor/start-processor.ts";
import { ADMIN_TOKEN, type Stack, type StackOptions, startApi } from "../stack/miniflare.ts";
import type { UploadResult } from "../uploads/upload-result.ts";

/** The real product in workerd, over HTTP; native decoders, which workerd cannot load, check its answers. */

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ErrorBody {
  readonly error: string;
  readonly statusCode: number;
  readonly details?: { readonly file?: string };
}

export type CompressedResult = UploadResult & { readonly compressionQuality?: number };

export interface Stored {
  readonly result: CompressedResult;
  /** The bytes that its URL serves. */
  readonly bytes: Buffer;
}

interface Batch {
  readonly uploaded: CompressedResult[];
  readonly failed: (ErrorBody & { readonly originalFilename: string })[];
}

export interface Settings {
  readonly autoCompress?: boolean;
  readonly compressionQuality?: number;
  readonly metadata?: "keep" | "private" | "none" | null;
}

let shared: Promise<CompressionHost> | undefined;

export class CompressionHost implements AsyncDisposable {
  readonly stack: Stack;
  readonly #processor: RunningProcessor;
  #accounts = 0;

  private constructor(stack: Stack, processor: RunningProcessor) {
    this.stack = stack;
    this.#processor = processor;
  }

  /** One host for all test files of this process; it ends with the process. Starting a host takes longer than most of the tests. */
  static shared(): Promise<CompressionHost> {
    shared ??= CompressionHost.start();
    return shared;
  }

  /** All Workers, and the media processor for images beyond an isolate. @param vars of the API Worker that differ from wrangler.toml */
  static async start(vars: Record<string, string> = {}, options: StackOptions = {}): Promise<CompressionHost> {
    const processor = await startProcessor();
    const stack = await startApi({ MEDIA_PROCESSOR_URL: processor.url.href, ...vars }, options);
    return new CompressionHost(stack, processor);
  }

  /** An account with compression on, whose rate the requests of a test do not exhaust. */
  async openAccount(settings: Settings = { autoCompress: true }, tier = "business"): Promise<CompressingAccount> {
    this.#accounts += 1;
    const email = `photographer-${this.#accounts}@example.com`;
    const registered = await this.send("POST", "/auth/register", "", { email, password: "correct horse battery" });
    expect(registered.status).toBe(201);
    const { token, account: opened } = (await registered.json()) as { token: string; account: { _id: string } };
    const body = { tier, accountId: opened._id };
    const set = await this.send("PUT", `/admin/accounts/${email}`, ADMIN_TOKEN, body);
    expect(set.status).toBe(200);
    const account = new CompressingAccount(this, token);
    await account.change(settings);
    return account;
  }

  async send(method: string, path: string, token: string, body?: unknown): Promise<Response> {
    return fetch(new URL(path, this.stack.url), {
      method,
      headers: {
        ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack[Symbol.asyncDispose]();
    await this.#processor[Symbol.asyncDispose]();
  }
}

export class CompressingAccount {
  readonly host: CompressionHost;
  readonly token: string;

  constructor(host: CompressionHost, token: string) {
    this.host = host;
    this.token = token;
  }

  async change(settings: Settings): Promise<void> {
    if (Object.keys(settings).length === 0) return;
    const answer = await this.host.send("PATCH", "/settings", this.token, settings);
    expect(answer.status).toBe(200);
  }

  async storageUsed(): Promise<number> {
    const answer = await this.host.send("GET", "/settings", this.token);
    return Number(answer.headers.get("X-Storage-Used"));
  }

  async upload(...files: NamedFile[]): Promise<Response> {
    const form = new FormData();
    for (const { name, bytes } of files) form.append("file", new File([new Uint8Array(bytes)], name));
    return fetch(new URL("/images/upload", this.host.stack.url), {
      method: "POST",
      headers: { Authorization: `Bearer ${this.token}` },
      body: form,
    });
  }

  /** Uploads one file; in any case the figures must agree with each other and with the stored bytes. */
  async store(bytes: Uint8Array, name: string): Promise<Stored> {
    const before = await this.storageUsed();
    const answer = await this.upload({ name, bytes });
    const body = (await answer.json()) as CompressedResult & ErrorBody;
    expect(answer.status, JSON.stringify(body)).toBe(201);
    expect(Number(answer.headers.get("X-Storage-Used"))).toBe(before + body.fileSize);
    return this.check(body, bytes, name);
  }

  /** Uploads several files at once. @returns the result of each by its name */
  async storeBatch(files: NamedFile[]): Promise<Map<string, Stored | ErrorBody>> {
    const before = await this.storageUsed();
    const answer = await this.upload(...files);
    expect(answer.status).toBe(201);
    const { uploaded, failed } = (await answer.json()) as Batch;
    const stored = await Promise.all(
      uploaded.map(async (result) => {
        const file = files.find(({ name }) => name === result.originalFilename);
        if (file === undefined) throw new Error(`${result.originalFilename} was not uploaded`);
        return [file.name, await this.check(result, file.bytes, file.name)] as const;
      }),
    );
    const bytes = uploaded.reduce((sum, { fileSize }) => sum + fileSize, 0);
    expect(Number(answer.headers.get("X-Storage-Used"))).toBe(before + bytes);
    return new Map<string, Stored | ErrorBody>([
      ...stored,
      ...failed.map((failure) => [failure.originalFilename, failure] as const),
    ]);
  }

  /** Expects the answer of an upload to match the stored file. */
  async check(result: CompressedResult, original: Uint8Array, name: string): Promise<Stored> {
    const served = await fetch(new URL(new URL(result.url).pathname, this.host.stack.url));
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(served.status).toBe(200);
    expect(served.headers.get("Content-Type")).toBe(result.mimeType);
    expect(result.url.endsWith(encodeURI(result.filename))).toBe(true);
    expect(result.originalFilename).toBe(name);
    expect(result.fileSize).toBe(bytes.length);
    expect(result.originalFileSize).toBe(original.length);
    expect("compressionQuality" in result).toBe(result.compressed);
    if (result.compressed) expect(bytes.length).toBeLessThan(original.length);
    else {
      // By default a kept file of an account that compresses loses its private metadata.
      const scrubbed = await scrub(original, result.mimeType as MediaType, "private", { partBytes: [PART_BYTES] });
      const isKept = bytes.equals(original) || bytes.equals(scrubbed);
      expect(isKept, `${name} was kept, but not as it was`).toBe(true);
    }
    return { result, bytes };
  }
}
