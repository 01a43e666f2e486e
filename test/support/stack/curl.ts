import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface CurlAnswer {
  readonly status: number;
  /** Lower-case names; of the last answer if there were several (100 Continue, redirects). */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  json<T>(): T;
}

/** A request made by the real curl. */
export async function curl(...args: string[]): Promise<CurlAnswer> {
  const folder = await mkdtemp(join(tmpdir(), "media-host-curl-"));
  try {
    const [head, out] = [join(folder, "head"), join(folder, "body")];
    const { stdout } = await run("curl", ["-sS", "-D", head, "-o", out, "-w", "%{http_code}", ...args]);
    const last =
      (await readFile(head, "latin1"))
        .trimEnd()
        .split(/\r\n\r\n/)
        .at(-1) ?? "";
    const headers = new Map(
      last
        .split("\r\n")
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const body = await readFile(out).catch(() => Buffer.alloc(0));
    return { status: Number(stdout), headers, body, json: () => JSON.parse(body.toString()) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
