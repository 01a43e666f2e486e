import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly type: string;
  readonly signature: string | undefined;
}

/** The receiver of a webhook's messages: an HTTP server on loopback that accepts all of them. */
export async function openReceiver() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => {
      body += data;
    });
    request.on("end", () => {
      const signature = request.headers["webhook-signature"];
      received.push({ type: JSON.parse(body).type, signature: typeof signature === "string" ? signature : undefined });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received, close: () => server.close() };
}
