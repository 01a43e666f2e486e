const TIMEOUT_MS = 5000;
const MAX_ANSWER_CHARACTERS = 65_536;
/** DNS record types (RFC 1035, 3.2.2; RFC 3596, 2.1). */
const TYPES = { A: 1, AAAA: 28 } as const;
/** RFC 1035, 4.1.1: no error, and no such name. */
const ANSWERED = [0, 3];

interface DnsAnswer {
  readonly Status: number;
  readonly Answer?: readonly { readonly type: number; readonly data: string }[];
}

/** The resolver did not say. */
export class ResolverError extends Error {}

/**
 * Every address of a host, of both families, asked of a resolver that speaks DNS over HTTPS (Cloudflare 1.1.1.1 documentation, "Using
 * JSON"). Empty where the name has none.
 * @throws ResolverError where any of the answers cannot be had: half an answer says nothing
 */
export async function resolveHost(resolverUrl: string, hostname: string): Promise<string[]> {
  const answers = await Promise.all([ask(resolverUrl, hostname, "A"), ask(resolverUrl, hostname, "AAAA")]);
  return answers.flat();
}

async function ask(resolverUrl: string, hostname: string, type: keyof typeof TYPES): Promise<string[]> {
  const url = new URL(resolverUrl);
  url.searchParams.set("name", hostname);
  url.searchParams.set("type", type);
  let answer: DnsAnswer;
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = JSON.parse((await response.text()).slice(0, MAX_ANSWER_CHARACTERS)) as DnsAnswer;
  } catch (error) {
    throw new ResolverError("The resolver did not answer", { cause: error });
  }
  if (!ANSWERED.includes(answer?.Status) || !Array.isArray(answer.Answer ?? [])) {
    throw new ResolverError(`The resolver answered with status ${answer?.Status}`);
  }
  return (answer.Answer ?? []).filter((record) => record.type === TYPES[type]).map(({ data }) => data);
}
