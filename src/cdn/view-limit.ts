import { clientAddressOf, isLocal } from "../domain/client.ts";
import { ERRORS } from "../domain/errors.ts";
import type { CdnEnv } from "./env.ts";

/** The period of both counters (wrangler.toml). */
const PERIOD_SECONDS = 60;

/**
 * Whether a file's signed URLs may be read without counting a view (FILE-10). Beyond the limit each read is a view, so that a signed URL is
 * no free CDN. Later ranges are never views, so they do not count here. If the counter fails, the read is not counted.
 */
export async function isWithinSignedReads(
  { SIGNED_READS_BY_FILE }: Pick<CdnEnv, "SIGNED_READS_BY_FILE">,
  objectKey: string,
): Promise<boolean> {
  const { success } = await SIGNED_READS_BY_FILE.limit({ key: objectKey }).catch(() => ({ success: true }));
  return success;
}

/**
 * Counts a request of an address before R2 is asked (FILE-9). A view counts with the views; a later range, `HEAD` or signed URL counts apart,
 * so all ranges of a video are one view. The counters are the platform's, near the isolate and approximate. If a counter fails, the file
 * is served.
 * @throws ServiceError 429
 */
export async function limitAddress(
  { VIEWS_BY_ADDRESS, RANGES_BY_ADDRESS }: Pick<CdnEnv, "VIEWS_BY_ADDRESS" | "RANGES_BY_ADDRESS">,
  headers: Headers,
  mayBeView: boolean,
): Promise<void> {
  const key = clientAddressOf(headers);
  if (isLocal(key)) return;
  const counter = mayBeView ? VIEWS_BY_ADDRESS : RANGES_BY_ADDRESS;
  const { success } = await counter.limit({ key }).catch(() => ({ success: true }));
  if (!success) throw ERRORS.RateLimited(PERIOD_SECONDS);
}
