import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface Spooled extends AsyncDisposable {
  readonly path: string;
  readonly sha256: string;
}

/** Keeps a stream on the disk until it is sent: how long it is has to be known before, and it may have to be sent again. */
export async function spool(stream: Readable, signal: AbortSignal): Promise<Spooled> {
  const folder = await mkdtemp(join(tmpdir(), "media-host-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, "input");
  const hash = createHash("sha256");
  try {
    await pipeline(
      stream,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          hash.update(piece);
          yield piece;
        }
      },
      createWriteStream(path, { mode: 0o600, flags: "wx" }),
      { signal },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, sha256: hash.digest("hex"), [Symbol.asyncDispose]: remove };
}
