/** A message as its handler sees it. Errors are for whoever keeps what cannot be delivered; a queue does not look at them. */
export interface HandledMessage<Body = unknown> extends Pick<Message<Body>, "id" | "timestamp" | "body" | "attempts"> {
  ack(): void;
  retry(options: { readonly delaySeconds: number }, error?: unknown): void;
}
