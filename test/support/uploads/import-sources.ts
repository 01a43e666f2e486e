import { expect } from "vitest";
import { readMeter, storedKeys, uploadRowIds } from "../api/account-state.ts";
import type { ImportingAccount } from "./imports.ts";

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
