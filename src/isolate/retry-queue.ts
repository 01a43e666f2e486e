import { retry } from "./retry.ts";

export type Sender<Body> = Pick<Queue<Body>, "send" | "sendBatch">;

/** A queue that tries again whatever fails: its errors have no codes, and its consumers take a message twice. */
export function retryQueue<Body>(queue: Queue<Body>): Sender<Body> {
  return {
    send: (...args) =>
      retry(
        () => queue.send(...args),
        () => true,
      ),
    sendBatch: (...args) =>
      retry(
        () => queue.sendBatch(...args),
        () => true,
      ),
  };
}
