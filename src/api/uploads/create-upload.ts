import type { Context } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { addPiece } from "../../services/uploads/resumable/add-piece.ts";
import { createResumable } from "../../services/uploads/resumable/create-resumable.ts";
import { accountOf } from "../account-of.ts";
import type { AppEnv } from "../app-env.ts";
import { declaredBytes } from "../images/start-upload.ts";
import { answerProgress, expiresHeader } from "./answer.ts";
import { readCreation } from "./read-tus-headers.ts";
import { OFFSET_TYPE, requireTus } from "./tus.ts";

/**
 * Creates an upload that will come in pieces; the request may bring the first of them (tus 1.0.0, Creation, Creation With Upload).
 * @throws ServiceError 400, 404, 412, 413, 415, 429, 503
 */
export async function createUpload(c: Context<AppEnv>): Promise<Response> {
  const account = accountOf(c);
  const { headers, body } = c.req.raw;
  requireTus(headers);
  const totalBytes = declaredBytes(headers, account.config.maxUploadBytes);
  const hasPiece = body !== null && totalBytes !== 0;
  if (hasPiece && headers.get("Content-Type") !== OFFSET_TYPE) throw ERRORS.OffsetTypeRequired();
  const created = await createResumable(account, readCreation(headers));
  c.header("Location", `/images/upload/${created.id}`);
  for (const [name, value] of Object.entries(expiresHeader(created))) c.header(name, value);
  if (!hasPiece) return c.body(null, 201, { "Upload-Offset": "0" });
  const work = addPiece(account, created.id, { stream: body, totalBytes, offset: 0 });
  // A client that goes away must not take its bytes with it.
  account.waitUntil(work.catch(() => undefined));
  return answerProgress(c, await work, { unfinished: 201, finished: 201 });
}
