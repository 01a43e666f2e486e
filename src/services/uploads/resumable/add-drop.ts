import { ERRORS } from "../../../domain/errors.ts";
import { keyOfOwnUploads } from "../../../domain/principal.ts";
import type { Drop } from "../../../meter/resumable/outcomes.ts";
import type { AccountContext } from "../../context.ts";
import { SNIFFED_BYTES } from "../store/store-file.ts";
import type { PieceBody } from "./piece-body.ts";
import type { ResumableProgress } from "./unfinished-uploads.ts";

/** A client that needs longer for these few bytes resumes after the bytes that arrived. */
const READ_MS = 10_000;

/** Reads a body of at most `DROP_BYTES`. If it breaks off or stalls, the received bytes count. */
export async function readDrop(body: PieceBody): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(body.remainingContentBytes);
  let length = 0;
  const timer = setTimeout(() => void body.cancel(), READ_MS);
  try {
    for (let piece = await body.read(); piece !== undefined; piece = await body.read()) {
      bytes.set(piece, length);
      length += piece.length;
    }
  } finally {
    clearTimeout(timer);
  }
  return bytes.slice(0, length);
}

/**
 * Stores a few bytes in one call and one row of the account's object. If the account sends such pieces faster than one a second, the answer
 * waits.
 * @returns undefined if the piece needs a writer
 * @throws ServiceError 429
 */
export async function addDrop(
  account: AccountContext,
  uploadId: string,
  drop: Pick<Drop, "offset" | "length" | "bytes">,
): Promise<ResumableProgress | undefined> {
  if (drop.bytes.length === 0) return undefined;
  const ofKey = keyOfOwnUploads(account.principal);
  const limits = { sniffedBytes: SNIFFED_BYTES, ...(ofKey === undefined ? {} : { ofKey }) };
  const added = await account.meter.addDrop(uploadId, { ...drop, ...limits });
  switch (added.outcome) {
    case "writer-needed":
      return undefined;
    case "refused":
      throw ERRORS.RateLimited(added.retryAfterSeconds);
    case "added":
      if (added.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, added.waitMs));
      return { offset: added.offset };
  }
}
