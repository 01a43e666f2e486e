import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

/** The key that s3rver knows. */
const KEY = "S3RVER";

/** A real S3 server on a free port, which checks signatures (s3rver), with one empty bucket. */
export class S3Server implements AsyncDisposable {
  readonly #server: S3rver;
  readonly #folder: string;
  readonly #port: number;

  private constructor(server: S3rver, folder: string, port: number) {
    this.#server = server;
    this.#folder = folder;
    this.#port = port;
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
    return new S3Server(server, folder, port);
  }

  /** The variables of `npm run admin`. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${this.#port}`,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
      AWS_REGION: "us-east-1",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
