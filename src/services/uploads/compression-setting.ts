import { isCompressible } from "../../media/compress.ts";
import type { MediaType } from "../../media/sniff.ts";
import { getAccount } from "../accounts/get-account.ts";
import type { AccountContext } from "../context.ts";

/**
 * The account's compression setting, asked for while the upload's first bytes come in.
 * @returns for a media type, the quality to compress with; null where files of the type are stored as they are
 */
export function readCompressionSetting(account: AccountContext): (type: MediaType) => Promise<number | null> {
  const quality = getAccount(account).then(({ autoCompress, compressionQuality }) =>
    autoCompress ? compressionQuality : null,
  );
  // Whoever asks is told; a request without images does not.
  quality.catch(() => undefined);
  return async (type) => (isCompressible(type) ? quality : null);
}
