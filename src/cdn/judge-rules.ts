import { ERRORS } from "../domain/errors.ts";
import { allowsReferer, type FileRules } from "../domain/file-rules.ts";
import { RulesReader } from "./rules-reader.ts";

const RETRY_AFTER_SECONDS = 5;

const readers = new WeakMap<object, RulesReader>();

/** The rules for an account's files; a promise if this isolate has to read them. */
export function readRules(files: R2Bucket, accountId: string, url: string): FileRules | Promise<FileRules> {
  let reader = readers.get(files);
  if (reader === undefined) {
    reader = new RulesReader({ files, cache: caches.default, now: () => Date.now() });
    readers.set(files, reader);
  }
  const rules = reader.rulesOf(accountId, url);
  if (!(rules instanceof Promise)) return rules;
  return rules.catch(() => {
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  });
}

/**
 * Applies the rules (FILE-7, FILE-8). A signed preview is the service's own request, so hotlink rules do not apply to it.
 * @throws ServiceError 403
 */
export function requireAllowed({ suspended, hotlink }: FileRules, request: Request, isPreview: boolean): void {
  if (suspended) throw ERRORS.FilesSuspended();
  if (hotlink === undefined || isPreview) return;
  const { hostname } = new URL(request.url);
  if (!allowsReferer(hotlink, request.headers.get("Referer"), hostname)) throw ERRORS.HotlinkRefused();
}
