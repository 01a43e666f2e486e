/** The addresses of an installation. */
export interface Addresses {
  /** The API's origin. */
  readonly apiUrl: string;
  /** The start of every file URL. */
  readonly cdnUrl: string;
  /** Whether the CDN Worker has an address of its own. Otherwise it is reached through the API Worker. */
  readonly hasCdnAddress: boolean;
}

export interface AddressOptions {
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** The account's subdomain of workers.dev; unused if the API has a domain. */
  readonly subdomain: string;
  readonly apiName: string;
  readonly cdnName: string;
}

/** Files have the CDN Worker's address, so that a view starts no other Worker. If only the API has a domain, that domain serves both. */
export function toAddresses({ domain, cdnDomain, subdomain, apiName, cdnName }: AddressOptions): Addresses {
  const onWorkersDev = (name: string) => `https://${name}.${subdomain}.workers.dev`;
  const apiUrl = domain === null ? onWorkersDev(apiName) : `https://${domain}`;
  if (cdnDomain !== null) return { apiUrl, cdnUrl: `https://${cdnDomain}`, hasCdnAddress: true };
  if (domain !== null) return { apiUrl, cdnUrl: apiUrl, hasCdnAddress: false };
  return { apiUrl, cdnUrl: onWorkersDev(cdnName), hasCdnAddress: true };
}

/** A label of workers.dev has at most 63 characters. The account's id makes it unique. */
export function suggestSubdomain(name: string, accountId: string): string {
  return `${name}-${accountId.slice(0, 8)}`.toLowerCase();
}
