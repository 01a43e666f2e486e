/** The API's answers (https://developers.cloudflare.com/api, "Making API calls"). */

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function ok(result: unknown, info?: Record<string, unknown>, status = 200): Answer {
  const body = {
    success: true,
    errors: [],
    messages: [],
    result,
    ...(info === undefined ? {} : { result_info: info }),
  };
  return { status, body };
}

/** A refusal. Handlers throw it. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.answer = {
      status,
      body: { success: false, errors: [{ code, message }], messages: [], result: null },
    };
  }
}

/** Codes that the API documents, or that wrangler distinguishes. */
export const REFUSALS = {
  authentication: () => new Refusal(403, 10000, "Authentication error"),
  invalidToken: () => new Refusal(401, 9109, "Invalid access token"),
  noRoute: (path: string) =>
    new Refusal(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`),
  noBucket: () => new Refusal(404, 10006, "The specified bucket does not exist."),
  bucketExists: () => new Refusal(409, 10004, "The bucket you tried to create already exists, and you own it."),
  databaseExists: () => new Refusal(400, 7502, "A database with that name already exists"),
  queueExists: () => new Refusal(409, 11009, "Queue name is already taken. Please choose a different name."),
  noSubdomain: () => new Refusal(404, 10007, "workers.api.error.subdomain_required"),
  subdomainTaken: () => new Refusal(409, 10031, "This subdomain is unavailable."),
  noWorker: () => new Refusal(404, 10007, "This Worker does not exist on your account."),
  noService: () => new Refusal(404, 10090, "This Worker does not exist on your account."),
  invalidUpload: (message: string) => new Refusal(400, 10021, message),
  missingSecret: (name: string) => new Refusal(400, 10057, `inherit binding '${name}' is invalid: no such binding`),
  noClass: (name: string) =>
    new Refusal(
      400,
      10061,
      `Cannot create binding for class '${name}' because it is not currently configured to implement Durable Objects.`,
    ),
  noTarget: (binding: string, script: string) =>
    new Refusal(400, 10143, `Could not resolve service binding '${binding}'. Target script '${script}' not found.`),
  notContainerEnabled: () => new Refusal(400, 1608, "DURABLE_OBJECT_NOT_CONTAINER_ENABLED"),
  migrationTag: (old: string | undefined, found: string | undefined) =>
    new Refusal(
      412,
      10079,
      `Migration tag precondition failed; expected tag ${old ?? "none"}, got ${found ?? "none"}.`,
    ),
} as const;
