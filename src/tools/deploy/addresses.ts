/** Where the installation answers. */
export interface Addresses {
  /** The API's origin. */
  readonly apiUrl: string;
  /** What the addresses of files start with. */
  readonly cdnUrl: string;
  /** The CDN Worker has an address of its own; else it is reached through the API Worker. */
  readonly hasCdnAddress: boolean;
}

export interface AddressOptions {
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** Of workers.dev; not looked at where the API has a domain. */
  readonly subdomain: string;
  readonly apiName: string;
  readonly cdnName: string;
}

/** Files have the CDN Worker's address, so that a view wakes no other Worker; with a domain for the API alone, that one serves both. */
export function toAddresses({ domain, cdnDomain, subdomain, apiName, cdnName }: AddressOptions): Addresses {
  const onWorkersDev = (name: string) => `https://${name}.${subdomain}.workers.dev`;
  const apiUrl = domain === null ? onWorkersDev(apiName) : `https://${domain}`;
  if (cdnDomain !== null) return { apiUrl, cdnUrl: `https://${cdnDomain}`, hasCdnAddress: true };
  if (domain !== null) return { apiUrl, cdnUrl: apiUrl, hasCdnAddress: false };
  return { apiUrl, cdnUrl: onWorkersDev(cdnName), hasCdnAddress: true };
}

/** A label of workers.dev takes 63 characters; the account's own id makes it one that nobody else has. */
export function suggestSubdomain(name: string, accountId: string): string {
  return `${name}-${accountId.slice(0, 8)}`.toLowerCase();
}
