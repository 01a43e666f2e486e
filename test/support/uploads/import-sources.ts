import { afterEach, beforeEach, expect, vi } from "vitest";
import { sourcePace } from "../../../src/services/imports/source-stream.ts";
import { Internet } from "../alerts/internet.ts";
import { readMeter, storedKeys, uploadRowIds } from "../api/account-state.ts";
import type { ImportingAccount } from "./imports.ts";

export const SITE = "https://files.example.com";

/** Gives each test an internet of its own with one site, and restores the pace of sources. */
export function withInternet(take: (internet: Internet) => void): void {
  const usualPace = { ...sourcePace };
  beforeEach(() => {
    const internet = new Internet();
    // Webhooks of accounts of earlier test files may still be due.
    internet.names.clear();
    internet.name(new URL(SITE).hostname, ["93.184.215.14"]);
    take(internet);
  });
  afterEach(() => {
    Object.assign(sourcePace, usualPace);
    vi.restoreAllMocks();
  });
}

/** The answer of a server of files. */
export function file(bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Response {
  return new Response(bytes, { headers: { "Content-Length": String(bytes.length), ...headers } });
}

/** A body that sends these pieces, then fails, or waits forever. */
export function broken(
  pieces: Uint8Array[],
  headers: Record<string, string>,
  end: "breaks" | "stalls" | "ends",
  status = 200,
) {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (end === "ends") controller.close();
      else if (end === "breaks") controller.error(new Error("The connection was reset"));
      else await new Promise(() => {});
    },
  });
  return new Response(body, { status, headers });
}

/** Answers that a test holds back until it lets them go. */
export class HeldAnswers {
  /** The most requests that had no answer at one time. */
  most = 0;
  readonly #held: (() => void)[] = [];
  #isOpen = false;

  constructor(internet: Internet, answer: () => Response) {
    internet.answer = async () => {
      if (!this.#isOpen) {
        await new Promise<void>((resolve) => {
          this.#held.push(resolve);
          this.most = Math.max(this.most, this.#held.length);
        });
      }
      return answer();
    };
  }

  get waiting(): number {
    return this.#held.length;
  }

  /** Lets the request go that has waited longest. */
  release(): void {
    this.#held.shift()?.();
  }

  /** Lets all waiting and all later requests go. */
  releaseAll(): void {
    this.#isOpen = true;
    for (const release of this.#held.splice(0)) release();
  }
}

/** Compares the account's figures with its stored files. */
export async function expectExact({ id }: Pick<ImportingAccount, "id">, files: number, bytes: number): Promise<void> {
  const meter = await readMeter(id);
  expect({ files: (await storedKeys(id)).length, rows: (await uploadRowIds(id)).length }).toEqual({
    files,
    rows: files,
  });
  expect({ bytes: meter.storageBytes, tenths: meter.usedTenths, intents: meter.intents }).toEqual({
    bytes,
    tenths: files * 10,
    intents: [],
  });
}
