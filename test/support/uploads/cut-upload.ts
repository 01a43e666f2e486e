import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";

/** The early end of a connection. `lost`: all was sent, and the answer does not arrive. `silence`: the client hangs. */
export type Cut = "none" | "fin" | "rst" | "silence" | "lost";

export interface TusTarget {
  readonly url: URL;
  readonly token: string;
}

export interface TusAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Connections that hang, until the test ends. */
const hanging = new Set<ClientRequest>();

export function hangUp(): void {
  for (const call of hanging) call.destroy();
  hanging.clear();
}

/** One request of tus over its own connection. @throws Error if the connection breaks */
export async function tusCall(
  { url, token }: TusTarget,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array,
): Promise<TusAnswer> {
  const call = open({ url, token }, method, path, { ...headers, "Content-Length": String(body?.length ?? 0) });
  call.end(body);
  const [answer] = (await once(call, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() };
}

/** Sends bytes from `offset` on, and ends the connection in this way after `cutAt` of them. @returns the answer, if there is one to read */
export async function cutPatch(
  target: TusTarget,
  path: string,
  { bytes, offset, cut, cutAt }: { bytes: Uint8Array; offset: number; cut: Cut; cutAt: number },
): Promise<TusAnswer | undefined> {
  const piece = bytes.subarray(offset);
  const headers = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
  if (cut === "none") return tusCall(target, "PATCH", path, headers, piece);
  const call = open(target, "PATCH", path, { ...headers, "Content-Length": String(piece.length) });
  call.on("error", () => undefined);
  const sent = cut === "lost" ? piece : piece.subarray(0, cutAt);
  // The callback runs when the system has accepted the bytes. If the server has stopped reading, it may never run.
  const written = new Promise<void>((resolve) => call.write(sent, () => resolve()));
  await Promise.race([written, once(call, "close"), once(call, "response")]);
  if (cut === "silence") {
    hanging.add(call);
    return undefined;
  }
  if (cut === "lost") await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()));
  if (cut === "fin") call.destroy();
  else call.socket?.resetAndDestroy();
  return undefined;
}

function open({ url, token }: TusTarget, method: string, path: string, headers: Record<string, string>): ClientRequest {
  return request(new URL(path, url).href, {
    method,
    agent: false,
    headers: { Authorization: `Bearer ${token}`, "Tus-Resumable": "1.0.0", ...headers },
  });
}
