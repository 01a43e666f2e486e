import { Client } from "../support/client.ts";
import { measureInTurn, median } from "../support/rounds.ts";
import { compressWithSharp, QUALITY, type RivalResult } from "./rival.ts";
import type { Source } from "./sources.ts";
import { startCompression } from "./stage.ts";

export interface Comparison {
  readonly source: Source;
  readonly product: {
    /** The source's file if the product kept it. */
    readonly file: Buffer;
    readonly seconds: number;
    /** The time in a process that has not compressed anything yet. */
    readonly firstSeconds: number;
    /** The size to which the codecs' memories have grown. */
    readonly webAssemblyBytes: number;
    readonly doneBy: "isolate" | "processor" | "nobody";
  };
  readonly sharp: RivalResult;
}

const ROUNDS = 5;
const LARGE_FILE_ROUNDS = 3;
const LARGE_FILE_BYTES = 2 * 1024 * 1024;

/**
 * The product's compression in a fresh workerd, and sharp in this process, in turn. The product's time is a request's, less the time of a
 * request with the same bodies and no work.
 */
export async function compareSpeed(source: Source, processorUrl: URL | undefined): Promise<Comparison> {
  await using bench = await startCompression();
  const client = new Client(bench.url);
  const query = new URLSearchParams({ type: source.type, quality: String(QUALITY) });
  if (processorUrl !== undefined) query.set("processor", processorUrl.href);
  const post = { method: "POST", body: source.file };
  const products: { body: Buffer; seconds: number }[] = [];
  const rivals: RivalResult[] = [];
  const rounds = source.file.length > LARGE_FILE_BYTES ? LARGE_FILE_ROUNDS : ROUNDS;
  const pairs = await measureInTurn(rounds, {
    product: async () => {
      const work = await client.call(200, `/?${query}`, post);
      const idle = await client.call(200, `/nothing?bytes=${work.body.length}`, post);
      products.push({ body: work.body, seconds: work.seconds - idle.seconds });
      return work.seconds - idle.seconds;
    },
    bare: async () => {
      const rival = await compressWithSharp(source);
      rivals.push(rival);
      return rival.seconds;
    },
  });
  const last = await client.callJson<{ wasSentOn: boolean; webAssemblyBytes: number }>(200, "GET", "/last");
  client.close();
  const [first] = products;
  const [rival] = rivals;
  if (first === undefined || rival === undefined) throw new Error("Nothing was measured");
  const isKept = first.body.length === 0;
  return {
    source,
    product: {
      file: isKept ? source.file : first.body,
      seconds: median(pairs.product),
      firstSeconds: first.seconds,
      webAssemblyBytes: last.webAssemblyBytes,
      doneBy: isKept ? "nobody" : last.wasSentOn ? "processor" : "isolate",
    },
    sharp: {
      file: rival.file,
      seconds: median(pairs.bare),
      allSeconds: median(rivals.slice(1).map(({ allSeconds }) => allSeconds)),
    },
  };
}
