import { ERRORS } from "../../domain/errors.ts";

/**
 * The address at which the service was asked. It goes into scripts and pages, so that only hosts are taken that are plain names or
 * addresses: a URL's host may hold quotes.
 * @throws ServiceError 400
 */
export function publicOrigin(requestUrl: string): string {
  const { origin, host } = new URL(requestUrl);
  if (/^[a-z0-9.:[\]-]+$/.test(host)) return origin;
  throw ERRORS.InvalidRequest({ host: "Is no host name" });
}
