import type { Client } from "../../client/index.ts";

/** Finds and creates folders below one of the account. */
export class FolderMaker {
  readonly #host: Client;
  readonly #signal: AbortSignal;
  /** Ids by path below the first folder, in NFC. */
  readonly #ids: Map<string, string | null>;
  /** Ids of folders that were there, by their parent and name. */
  #there: Promise<ReadonlyMap<string, string>> | undefined;

  /** @param top the first folder; null is Root */
  constructor(host: Client, top: string | null, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
    this.#ids = new Map([["", top]]);
  }

  /**
   * @param path below the first folder, with slashes; empty is the first folder
   * @returns the folder's id; null is Root
   * @throws MediaHostError, for example 400 for a name that is too long or a folder that is too deep
   */
  async make(path: string): Promise<string | null> {
    const wanted = path.normalize("NFC");
    const known = this.#ids.get(wanted);
    if (known !== undefined) return known;
    const at = wanted.lastIndexOf("/");
    const parentId = await this.make(wanted.slice(0, Math.max(at, 0)));
    const name = wanted.slice(at + 1);
    this.#there ??= this.#list();
    const found = (await this.#there).get(`${parentId}/${name}`);
    const id = found ?? (await this.#host.folders.create({ name, parentId }, { signal: this.#signal }))._id;
    this.#ids.set(wanted, id);
    return id;
  }

  async #list(): Promise<ReadonlyMap<string, string>> {
    const folders = await this.#host.folders.list({ signal: this.#signal });
    return new Map(folders.map(({ _id, name, parentId }) => [`${parentId}/${name}`, _id]));
  }
}
