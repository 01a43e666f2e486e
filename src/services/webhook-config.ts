export interface WebhookBindings {
  readonly WEBHOOK_SECRET: string;
  readonly DNS_RESOLVER_URL: string;
  readonly WEBHOOK_ALLOW_PRIVATE: string;
}

export interface WebhookConfig {
  /** All webhooks' secrets are made of it. */
  readonly secret: string;
  readonly resolverUrl: string;
  /** For development and tests: webhooks may be anywhere. */
  readonly allowsPrivate: boolean;
  /** The service's own hosts, so far as they are known. */
  readonly ownHosts: readonly string[];
}

/** @param ownUrls addresses of the service; empty ones are left out */
export function readWebhookConfig(bindings: WebhookBindings, ownUrls: readonly string[]): WebhookConfig {
  return {
    secret: bindings.WEBHOOK_SECRET,
    resolverUrl: bindings.DNS_RESOLVER_URL,
    allowsPrivate: bindings.WEBHOOK_ALLOW_PRIVATE === "true",
    ownHosts: ownUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname),
  };
}
