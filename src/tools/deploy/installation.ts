import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { DeployError } from "./deploy-error.ts";
import type { Residence } from "./residence.ts";
import type { FinishedRotation, Rotation } from "./rotation.ts";

/** A folder that git ignores. It is not in `.wrangler`, which people delete to start again. */
export const DEPLOY_DIR = process.env.DEPLOY_DIR ?? ".deploy";

/** A Worker as it was uploaded last, with its triggers. */
export interface UploadedWorker {
  readonly hash: string;
  readonly versionId: string;
}

/** The stored facts of an installation. The only secret is the password of a smoke test's account, until the account is erased. */
export interface InstallationRecord {
  /** Ids by name. */
  readonly databases: Readonly<Record<string, string>>;
  readonly workers: Readonly<Record<string, UploadedWorker>>;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** Domains that the installation has given up. They are removed from the Workers after these have their new addresses. */
  readonly formerDomains: readonly string[];
  readonly container: boolean;
  /** The place of databases and files; undefined for an installation that is older than this choice. */
  readonly place?: Residence | undefined;
  /** The address that Cloudflare notifies of high usage; null: no mail; undefined: not chosen yet. */
  readonly notify?: string | null | undefined;
  /** The day on which the Container's base was pulled last, `YYYY-MM-DD`. */
  readonly containerBase?: string | undefined;
  /** The last rotation of each secret, by its name. */
  readonly rotations?: Readonly<Record<string, FinishedRotation>> | undefined;
  /** The account that a smoke test opened and has not erased yet. */
  readonly smokeAccount?: { readonly email: string; readonly password: string } | undefined;
}

const EMPTY: InstallationRecord = {
  databases: {},
  workers: {},
  domain: null,
  cdnDomain: null,
  formerDomains: [],
  container: true,
};

/** The environment of the operator's commands: `set -a; . FILE` passes it to `npm run admin`. */
export interface OperatorEnv {
  readonly BASE_URL?: string | undefined;
  readonly ADMIN_TOKEN?: string | undefined;
}

/**
 * An installation's folder, `.deploy/<account>/<name>/`: its facts, the operator's token and an unfinished rotation's value, which Cloudflare never returns. Every change
 * is written at once and as a whole, so a killed run leaves a usable folder.
 */
export class Installation {
  readonly folder: string;
  #record: InstallationRecord;
  #operator: OperatorEnv;
  #rotation: Rotation | undefined;

  private constructor(folder: string, record: InstallationRecord, operator: OperatorEnv, rotation?: Rotation) {
    this.folder = folder;
    this.#record = record;
    this.#operator = operator;
    this.#rotation = rotation;
  }

  /** Reads only. @throws DeployError if the file is damaged */
  static async open(accountId: string, name: string): Promise<Installation> {
    const folder = join(DEPLOY_DIR, accountId, name);
    const [record, operator] = [await readRecord(recordPath(folder)), await readOperator(operatorPath(folder))];
    return new Installation(folder, record, operator, await readJson<Rotation>(rotationPath(folder)));
  }

  get record(): InstallationRecord {
    return this.#record;
  }

  get operator(): OperatorEnv {
    return this.#operator;
  }

  /** The rotation that was begun and has not finished. */
  get rotation(): Rotation | undefined {
    return this.#rotation;
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

  /** Stores a rotation's value until all Workers have it. */
  async beginRotation(rotation: Rotation): Promise<void> {
    this.#rotation = rotation;
    await this.#write(rotationPath(this.folder), `${JSON.stringify(rotation, null, 2)}\n`);
  }

  async endRotation(): Promise<void> {
    this.#rotation = undefined;
    await rm(rotationPath(this.folder), { force: true });
  }

  async #write(path: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, text, { mode: 0o600 });
    // Writing does not change the mode of an existing file.
    await chmod(fresh, 0o600);
    await rename(fresh, path);
  }
}

const recordPath = (folder: string): string => join(folder, "installation.json");
const rotationPath = (folder: string): string => join(folder, "rotation.json");
const operatorPath = (folder: string): string => join(folder, "operator.env");

async function readRecord(path: string): Promise<InstallationRecord> {
  return { ...EMPTY, ...(await readJson<Partial<InstallationRecord>>(path)) };
}

async function readJson<T>(path: string): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch (error) {
    throw new DeployError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function readOperator(path: string): Promise<OperatorEnv> {
  return existsSync(path) ? parseEnv(await readFile(path, "utf8")) : {};
}
