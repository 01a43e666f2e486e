import { Webhook } from "standardwebhooks";
import { vi } from "vitest";

export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = (received: Received) => Response | Promise<Response>;

/** The internet as the Worker's `fetch` sees it: a resolver that speaks DNS over HTTPS, and the hosts of webhooks. */
export class Internet {
  /** Addresses by name: each question takes one entry, the last one stays. */
  readonly names = new Map<string, string[][]>();
  readonly received: Received[] = [];
  readonly questions: string[] = [];
  answer: Answer = () => new Response(null, { status: 204 });
  resolverAnswer: (() => Response) | undefined;

  constructor() {
    this.name("hooks.example.com", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]);
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => this.#fetch(new Request(input, init)));
  }

  /** @param answers the addresses of each lookup in turn */
  name(host: string, ...answers: string[][]): void {
    this.names.set(host, answers);
  }

  /** The last message, as its receiver verifies it. */
  verifyLast(secret: string): unknown {
    const { headers, body } = this.received.at(-1) ?? { headers: new Headers(), body: "" };
    return new Webhook(secret).verify(body, Object.fromEntries(headers));
  }

  async #fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === "/dns-query") return this.#resolve(url);
    if (request.redirect !== "manual") throw new Error("A redirect would be followed");
    const received = { url: request.url, headers: request.headers, body: await request.text() };
    this.received.push(received);
    return Promise.race([this.answer(received), aborted(request.signal)]);
  }

  /** 1.1.1.1's JSON form: a CNAME comes before the addresses that it leads to. */
  #resolve(url: URL): Response {
    if (this.resolverAnswer !== undefined) return this.resolverAnswer();
    const name = url.searchParams.get("name") ?? "";
    const type = url.searchParams.get("type");
    this.questions.push(`${type} ${name}`);
    const answers = this.names.get(name);
    if (answers === undefined) return Response.json({ Status: 3 });
    // Both families of one lookup come from the same answer.
    const addresses = (type === "AAAA" && answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    const records = addresses
      .filter((address) => address.includes(":") === (type === "AAAA"))
      .map((data) => ({ name, type: type === "AAAA" ? 28 : 1, TTL: 0, data }));
    return Response.json({ Status: 0, Answer: [{ name, type: 5, TTL: 0, data: "cdn.example.net." }, ...records] });
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
