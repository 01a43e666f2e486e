import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { isSigned } from "./is-signed.ts";

/** The key that s3rver knows. */
const KEY = "S3RVER";

/**
 * A real S3 server on a free port (s3rver), with one empty bucket. s3rver checks no signatures of version 4, so a server in front of it does
 * (`isSigned`).
 */
export class S3Server implements AsyncDisposable {
  readonly #server: S3rver;
  readonly #folder: string;
  readonly #front: Server;

  private constructor(server: S3rver, folder: string, front: Server) {
    this.#server = server;
    this.#folder = folder;
    this.#front = front;
  }

  static async start(bucket: string): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), "s3-"));
    const server = new S3rver({
      port: 0,
      address: "127.0.0.1",
      silent: true,
      directory: folder,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { port } = await server.run();
    const front = createServer((asked, answer) => {
      if (!isSigned(asked, KEY))
        return void answer.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
      const { method, url: path, headers } = asked;
      const passed = request({ host: "127.0.0.1", port, method, path, headers }, (from) => {
        answer.writeHead(from.statusCode ?? 500, from.headers);
        from.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      // s3rver would wait for ever for a client that breaks off to read its answer.
      answer.on("close", () => passed.destroy());
      asked.pipe(passed);
    });
    front.listen(0, "127.0.0.1");
    await once(front, "listening");
    return new S3Server(server, folder, front);
  }

  /** The variables of `npm run admin`. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(this.#front.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
      AWS_REGION: "us-east-1",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#front.closeAllConnections();
    this.#front.close();
    await this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
