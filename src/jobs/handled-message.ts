/** A message for its handler. `error` is for the dead-letter handling; the queue ignores it. */
export interface HandledMessage<Body = unknown> extends Pick<Message<Body>, "id" | "timestamp" | "body" | "attempts"> {
  ack(): void;
  retry(options: { readonly delaySeconds: number }, error?: unknown): void;
}
