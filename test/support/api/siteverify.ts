interface Question {
  readonly secret: string;
  readonly response: string;
  readonly remoteip?: string;
  readonly idempotency_key?: string;
}

interface Page {
  readonly hostname: string;
  readonly action?: string;
}

/**
 * Turnstile's siteverify, as documented ("Validate the token"): a token is valid for one request, which may be repeated with its
 * idempotency key.
 */
export class Siteverify {
  readonly questions: Question[] = [];
  /** The number of next answers that are lost. */
  loseAnswers = 0;
  readonly #secret: string;
  readonly #tokens = new Map<string, { readonly page: Page; usedBy?: string }>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Solves a challenge on a page. @returns its token */
  solve(page: Page): string {
    const token = `0.${crypto.randomUUID()}`;
    this.#tokens.set(token, { page });
    return token;
  }

  async fetch(request: Request): Promise<Response> {
    const question = await request.json<Question>();
    this.questions.push(question);
    const answer = this.#judge(question);
    if (this.loseAnswers > 0) {
      this.loseAnswers -= 1;
      throw new Error("Network connection lost.");
    }
    return Response.json(answer);
  }

  #judge({ secret, response, idempotency_key: key = crypto.randomUUID() }: Question): object {
    const refuse = (...codes: string[]) => ({ success: false, "error-codes": codes, messages: [] });
    if (secret !== this.#secret) return refuse("invalid-input-secret");
    const solved = this.#tokens.get(response);
    if (solved === undefined) return refuse("invalid-input-response");
    if (solved.usedBy !== undefined && solved.usedBy !== key) return refuse("timeout-or-duplicate");
    solved.usedBy = key;
    const { hostname, action = "" } = solved.page;
    return { success: true, "error-codes": [], challenge_ts: new Date().toISOString(), hostname, action, cdata: "" };
  }
}
