import { ERRORS, type ServiceError } from "../../../../src/domain/errors.ts";
import type { Source } from "../../../../src/services/imports/open-source.ts";
import type { Scheduler } from "../scheduler.ts";

/** The internet of a schedule: files by their URLs. It is as unreliable as the stores, and a source may break off. */
export const internet: { scheduler: Scheduler | undefined; readonly files: Map<string, Uint8Array> } = {
  scheduler: undefined,
  files: new Map(),
};

export class HostBusy extends Error {}

const BREAKS = 0.15;

export async function openSource(
  _context: unknown,
  hosts: { enter(host: string): Promise<boolean> },
  { url, from }: { readonly url: string; readonly from?: { readonly offset: number } },
): Promise<Source> {
  const { scheduler, files } = internet;
  if (scheduler === undefined) throw new Error("There is no schedule");
  const party = scheduler.current ?? { name: "nobody", isAlive: true, disturbances: 0 };
  if (!(await hosts.enter("files.example"))) throw new HostBusy();
  const file = await scheduler.call(
    party,
    () => `source ${url}`,
    () => ERRORS.SourceFailed("connection"),
    () => files.get(url),
  );
  if (file === undefined) throw ERRORS.SourceFailed("status", 404);
  const bytes = new BrokenStream(file.subarray(from?.offset ?? 0), !scheduler.isCalm && scheduler.random() < BREAKS);
  return {
    bytes: bytes as unknown as Source["bytes"],
    totalBytes: file.length,
    validator: '"v1"',
    filename: url.slice(url.lastIndexOf("/") + 1),
  };
}

/** A stream that sends half of its bytes and breaks off, or all of them. */
class BrokenStream {
  fault: ServiceError | undefined;
  readonly receivedBytes = 0;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(bytes: Uint8Array, breaks: boolean) {
    const sent = breaks ? bytes.subarray(0, bytes.length >> 1) : bytes;
    let isSent = false;
    this.stream = new ReadableStream({
      type: "bytes",
      pull: (controller) => {
        if (!isSent && sent.length > 0) controller.enqueue(sent.slice());
        else if (breaks) {
          this.fault = ERRORS.SourceFailed("length");
          controller.error(this.fault);
        } else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
        isSent = true;
      },
    });
  }

  stop(): void {}
}

export function mayPass(error: ServiceError): boolean {
  return error.details?.status !== 404;
}
