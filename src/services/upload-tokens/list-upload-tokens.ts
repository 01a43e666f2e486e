import { keyOfOwnUploads } from "../../domain/principal.ts";
import type { TokenSlice, UploadTokenPage } from "../../meter/account/upload-tokens.ts";
import type { AccountContext } from "../context.ts";

/** A page of the tokens that have not expired, newest first. A key that can only upload sees its own tokens alone. */
export function listUploadTokens({ meter, principal }: AccountContext, slice: TokenSlice): Promise<UploadTokenPage> {
  return meter.listUploadTokens(slice, keyOfOwnUploads(principal));
}
