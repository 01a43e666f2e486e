import { DurableObject } from "cloudflare:workers";
import { newId } from "../../../src/domain/ids.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";

interface BareEnv {
  readonly LOG: DurableObjectNamespace<Log>;
}

/** Only an account's operation log, for the size of its rows. */
export default {
  async fetch(request: Request, env: BareEnv): Promise<Response> {
    const operations = Number(new URL(request.url).pathname.slice(1));
    return Response.json(await env.LOG.getByName("log").bytesOf(operations));
  },
};

export class Log extends DurableObject<BareEnv> {
  /** The bytes that an operation of class A takes. */
  async bytesOf(operations: number): Promise<number> {
    const { sql } = this.ctx.storage;
    const log = new OperationLog(sql);
    const emptyBytes = sql.databaseSize;
    for (let n = 0; n < operations; n++) {
      const resourceId = newId(Date.now());
      log.record({ id: `upload:${resourceId}`, type: "upload", at: Date.now(), resourceId, keyId: resourceId }, 1000);
    }
    return (sql.databaseSize - emptyBytes) / operations;
  }
}
