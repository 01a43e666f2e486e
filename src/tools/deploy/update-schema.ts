import { DeployError } from "./deploy-error.ts";
import { describeAnswer, requestService } from "./service-request.ts";

/** A new address of workers.dev, or a domain's certificate, may take minutes. */
const PATIENCE_MS = 5 * 60_000;
/** A version is everywhere within seconds, and so is a secret. */
const REFUSAL_PATIENCE_MS = 30_000;
const PAUSE_MS = 1000;

export interface SchemaUpdate {
  readonly apiUrl: string;
  readonly adminToken: string;
  /** The deployed version. Only its answer counts, because the previous version knows fewer migrations. */
  readonly versionId: string;
}

/**
 * Asks the deployed API Worker to update the schema (src/services/schema/update-schema.ts) as soon as its new version answers. Requests
 * that need the new schema are 503 until then. Migrations only add, so other requests work.
 * @returns the applied migrations
 * @throws DeployError if it does not answer in time, or has another operator token
 */
export async function updateSchema({ apiUrl, adminToken, versionId }: SchemaUpdate): Promise<string[]> {
  const startedAt = Date.now();
  const applied: string[] = [];
  for (;;) {
    const { said, status, done } = await attempt(apiUrl, adminToken, versionId, applied);
    if (done) return applied;
    const waitedMs = Date.now() - startedAt;
    if (status === 409 && waitedMs > REFUSAL_PATIENCE_MS)
      throw new DeployError(`The schema could not be updated: ${said}`);
    if (status === 401 && waitedMs > REFUSAL_PATIENCE_MS) {
      throw new DeployError(
        `${apiUrl} does not accept this operator token (${said}).
Correct it in operator.env, or replace it: --new-admin-token`,
      );
    }
    if (waitedMs > PATIENCE_MS) throw new DeployError(`The schema could not be updated: ${apiUrl} said ${said}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

interface UpdatedSchema {
  readonly databases: readonly { readonly database: string; readonly applied: readonly string[] }[];
  readonly version: string;
}

async function attempt(apiUrl: string, adminToken: string, versionId: string, applied: string[]) {
  let answer: Response;
  try {
    answer = await requestService(`${apiUrl}/admin/schema`, { method: "POST", token: adminToken });
  } catch (error) {
    return { said: (error as Error).message, status: undefined, done: false };
  }
  if (!answer.ok) {
    return { said: await describeAnswer(answer), status: answer.status, done: false };
  }
  const { databases, version } = (await answer.json()) as UpdatedSchema;
  applied.push(...databases.flatMap(({ database, applied: now }) => now.map((name) => `${name} to ${database}`)));
  return { said: `version ${version}`, status: answer.status, done: version === versionId };
}
