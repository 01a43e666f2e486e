import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { DeployError } from "./deploy-error.ts";

/** Beside the tree and ignored by git; not in `.wrangler`, which people remove to begin anew. */
export const DEPLOY_DIR = process.env.DEPLOY_DIR ?? ".deploy";

/** A Worker as it was uploaded last, with its triggers. */
export interface UploadedWorker {
  readonly hash: string;
  readonly versionId: string;
}

/** What is remembered of an installation, without secrets. */
export interface InstallationRecord {
  /** Ids by name. */
  readonly databases: Readonly<Record<string, string>>;
  readonly workers: Readonly<Record<string, UploadedWorker>>;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** Domains that it had and gave up; they are taken from the Workers once these have their new addresses. */
  readonly formerDomains: readonly string[];
  readonly container: boolean;
  /** The account that a smoke test opened and has not erased yet. */
  readonly smokeAccount?: { readonly email: string; readonly password: string } | undefined;
}

const EMPTY: InstallationRecord = {
  ...{ databases: {}, workers: {}, domain: null, cdnDomain: null },
  ...{ formerDomains: [], container: true },
};

/** What the operator's commands need: `set -a; . FILE` gives it to `npm run admin`. */
export interface OperatorEnv {
  readonly BASE_URL?: string | undefined;
  readonly ADMIN_TOKEN?: string | undefined;
}

/**
 * One installation's folder, `.deploy/<account>/<name>/`: what is remembered of it, and the operator's token, which Cloudflare does not
 * give back. Every change is written at once and as a whole, so that a run that is killed leaves what the next one needs.
 */
export class Installation {
  readonly folder: string;
  #record: InstallationRecord;
  #operator: OperatorEnv;

  private constructor(folder: string, record: InstallationRecord, operator: OperatorEnv) {
    this.folder = folder;
    this.#record = record;
    this.#operator = operator;
  }

  /** Writes nothing. @throws DeployError where the file is not one of ours */
  static async open(accountId: string, name: string): Promise<Installation> {
    const folder = join(DEPLOY_DIR, accountId, name);
    return new Installation(folder, await readRecord(recordPath(folder)), await readOperator(operatorPath(folder)));
  }

  get record(): InstallationRecord {
    return this.#record;
  }

  get operator(): OperatorEnv {
    return this.#operator;
  }

  get operatorPath(): string {
    return operatorPath(this.folder);
  }

  get recordPath(): string {
    return recordPath(this.folder);
  }

  async update(change: Partial<InstallationRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.#write(this.recordPath, `${JSON.stringify(this.#record, null, 2)}\n`);
  }

  async updateOperator(change: OperatorEnv): Promise<void> {
    this.#operator = { ...this.#operator, ...change };
    const lines = Object.entries(this.#operator).flatMap(([name, value]) => (value ? [`${name}="${value}"\n`] : []));
    await this.#write(this.operatorPath, lines.join(""));
  }

  async #write(path: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, text, { mode: 0o600 });
    // The mode of a file that is there already is not changed by writing it.
    await chmod(fresh, 0o600);
    await rename(fresh, path);
  }
}

const recordPath = (folder: string): string => join(folder, "installation.json");
const operatorPath = (folder: string): string => join(folder, "operator.env");

async function readRecord(path: string): Promise<InstallationRecord> {
  if (!existsSync(path)) return EMPTY;
  try {
    return { ...EMPTY, ...(JSON.parse(await readFile(path, "utf8")) as Partial<InstallationRecord>) };
  } catch (error) {
    throw new DeployError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function readOperator(path: string): Promise<OperatorEnv> {
  return existsSync(path) ? parseEnv(await readFile(path, "utf8")) : {};
}
