import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Credential } from "../session/credential.ts";
import { stateFolder } from "../session/folders.ts";

/** The place in an account's events, and the secret that signs forwarded ones. */
export interface Listener {
  /** `whsec_` and base64, as Standard Webhooks has it. */
  readonly secret: string;
  /** Undefined before the first event. */
  readonly cursor?: string;
}

const SECRET_BYTES = 24;

/** The listener of one credential of one service, in a file that only its user can read. */
export class ListenState {
  readonly #path: string;
  #listener: Listener;

  private constructor(path: string, listener: Listener) {
    this.#path = path;
    this.#listener = listener;
  }

  /** Opens the file; one that is missing or damaged begins again with another secret. */
  static async open(env: NodeJS.ProcessEnv, host: string, credential: Credential): Promise<ListenState> {
    const who = credential.kind === "session" ? credential.accountId : credential.secret;
    const name = createHash("sha256").update(`${host}\n${who}`).digest("hex").slice(0, 16);
    const path = join(stateFolder(env), `listen-${name}.json`);
    const text = await readFile(path, "utf8").catch(() => "");
    return new ListenState(
      path,
      toListener(text) ?? { secret: `whsec_${randomBytes(SECRET_BYTES).toString("base64")}` },
    );
  }

  get listener(): Listener {
    return this.#listener;
  }

  /** Continues after this place, also in a later run. */
  async moveTo(cursor: string): Promise<void> {
    if (cursor === this.#listener.cursor) return;
    this.#listener = { ...this.#listener, cursor };
    await mkdir(join(this.#path, ".."), { recursive: true, mode: 0o700 });
    // A crash leaves the former file or the new one.
    const next = `${this.#path}.${process.pid}`;
    await writeFile(next, JSON.stringify(this.#listener), { mode: 0o600 });
    await rename(next, this.#path);
  }
}

function toListener(text: string): Listener | undefined {
  try {
    const { secret, cursor } = JSON.parse(text) as Partial<Listener>;
    if (typeof secret !== "string" || !secret.startsWith("whsec_")) return undefined;
    return typeof cursor === "string" ? { secret, cursor } : { secret };
  } catch {
    return undefined;
  }
}
