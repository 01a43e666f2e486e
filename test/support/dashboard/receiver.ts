import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly type: string;
  readonly signature: string | undefined;
}

/** The receiver of a webhook's messages: an HTTP server on loopback that accepts them until a test sets another status. */
export async function openReceiver() {
  const received: Received[] = [];
  const receiver = {
    url: "",
    received,
    status: 200,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => {
      body += data;
    });
    request.on("end", () => {
      const signature = request.headers["webhook-signature"];
      received.push({ type: JSON.parse(body).type, signature: typeof signature === "string" ? signature : undefined });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  receiver.url = `http://127.0.0.1:${port}/hook`;
  return receiver;
}
