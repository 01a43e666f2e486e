/** One request to the deployed service. */
export interface ServiceRequest {
  readonly method?: string;
  readonly token?: string;
  readonly json?: unknown;
  readonly body?: FormData;
  readonly headers?: Record<string, string>;
}

const TIMEOUT_MS = 30_000;

/** @throws Error if there is no answer, for example at a new address */
export function requestService(url: string, request: ServiceRequest = {}): Promise<Response> {
  const { method = "GET", token, json, body, headers = {} } = request;
  return fetch(url, {
    method,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** An answer in a message: its status and the beginning of its body. */
export async function describeAnswer(answer: Response): Promise<string> {
  const text = (await answer.text().catch(() => "")).slice(0, 200);
  return text === "" ? String(answer.status) : `${answer.status}: ${text}`;
}
