import { bearer, call } from "../api/api.ts";

/** Sends a body as it is to the upload endpoint; a stream is sent without a Content-Length. */
export function postMultipart(
  token: string,
  body: BodyInit | null,
  contentType = "multipart/form-data; boundary=edge",
  headers: Record<string, string> = {},
): Promise<Response> {
  return call("/images/upload", {
    method: "POST",
    headers: { ...bearer(token), "Content-Type": contentType, ...headers },
    body,
  });
}
