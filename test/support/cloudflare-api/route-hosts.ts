import { HOST_HEADER } from "./host-header.ts";

/**
 * This is loaded before the command under test (`node --import`). It sends requests over HTTPS, which are all for deployed Workers, to the
 * emulated edge. The command itself is unchanged.
 */

const { EDGE_URL } = process.env;
if (EDGE_URL === undefined) throw new Error("EDGE_URL is not set");

const throughNetwork = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.protocol !== "https:") return throughNetwork(input, init);
  const headers = new Headers(init?.headers);
  headers.set(HOST_HEADER, url.host);
  return throughNetwork(new URL(url.pathname + url.search, EDGE_URL), { ...init, headers });
};
