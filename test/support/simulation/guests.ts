import { type GuestLimits, MAX_SHARES } from "../../../src/domain/share.ts";
import type { AccountContext, Services } from "../../../src/services/context.ts";
import { guestToken } from "../../../src/services/shares/guest-token.ts";
import { listSharedFiles } from "../../../src/services/shares/list-shared-files.ts";
import { openShare } from "../../../src/services/shares/open-share.ts";
import { toShareToken } from "../../../src/services/shares/share-secrets.ts";
import { openSharedUrls } from "../../../src/services/shares/shared-urls.ts";
import { changeShare, createShare, deleteShare } from "../../../src/services/shares/shares.ts";
import { type AccountRecord, must, type ShareRecord, type TokenRecord } from "./history.ts";
import type { Ending } from "./world.ts";

const CLIENT = { device: "Simulated", address: "192.0.2.1", rate: undefined };

/** Requests about shares, in the schedules that have any. */
export const SHARE_VERBS = { makeShare: 20, visitShare: 50, useGuestToken: 50, changeShare: 30, endShare: 15 } as const;

/** Limits only grow in a schedule: what guests have stored may be more than smaller ones, and is within these. */
const MORE: GuestLimits = { maxFiles: 5, maxBytes: null, types: [] };

export interface GuestTools {
  now(): number;
  random(): number;
  request<T>(name: string, work: (services: Services) => Promise<T>): { readonly ended: Promise<Ending<T>> };
  asOwner<T>(
    name: string,
    account: AccountRecord,
    work: (context: AccountContext) => Promise<T>,
  ): { readonly ended: Promise<Ending<T>> };
  uploadWith(name: string, account: AccountRecord, token: TokenRecord): Promise<void>;
}

/** Owners who share Root, and guests who open the page and upload with its token. */
export class Guests {
  readonly #tools: GuestTools;

  constructor(tools: GuestTools) {
    this.#tools = tools;
  }

  /** Most owners have one share, so that their guests meet. */
  async makeShare(account: AccountRecord): Promise<void> {
    if (this.#someShare(account)?.refusedFrom === Number.POSITIVE_INFINITY && this.#tools.random() < 0.8)
      return this.visitShare(account);
    const terms = { title: null, password: null, expiresAt: null, allowDownload: true, indexed: false };
    const files = { kind: "folder", folderId: null } as const;
    const guests = this.#tools.random() < 0.8 ? this.#limits() : null;
    const ending = await this.#tools.asOwner("make-share", account, (context) =>
      createShare(context, files, { ...terms, guests }),
    ).ended;
    if (ending.kind !== "answered") return;
    account.shares.push({ id: ending.value.id, tokens: [], refusedFrom: Number.POSITIVE_INFINITY });
    must(account.shares.length <= MAX_SHARES, () => "An account has too many shares");
  }

  /** A guest opens the page. Its private files have signed links, and its token is kept for uploads. */
  async visitShare(account: AccountRecord): Promise<void> {
    const share = this.#someShare(account);
    if (share === undefined) return;
    const begunAt = this.#tools.now();
    const ending = await this.#tools.request("visit-share", async (services) => {
      const token = toShareToken({ accountId: account.id, id: share.id }, services.config.urlSigningSecret);
      const opening = await openShare(services, CLIENT, { token, pass: undefined, isView: true });
      if (opening.outcome !== "open") return undefined;
      must(share.refusedFrom > begunAt, () => "The page of a share that was ended is opened");
      const { rows } = await listSharedFiles(services, opening.opened, undefined);
      const urlsOf = await openSharedUrls(services, opening.opened);
      for (const row of rows) {
        const { url } = await urlsOf(row);
        must(url.includes("sig=") === (row.visibility === "private"), () => `A ${row.visibility} file has ${url}`);
      }
      return guestToken(services, opening.opened);
    }).ended;
    if (ending.kind !== "answered" || ending.value === undefined) return;
    const isEnded = share.refusedFrom < Number.POSITIVE_INFINITY;
    const refusedFrom = isEnded ? this.#tools.now() : Number.POSITIVE_INFINITY;
    const token = { id: share.id, secret: ending.value, begunAt, refusedFrom };
    share.tokens.push(token);
    if (this.#tools.random() < 0.6) await this.#tools.uploadWith("use-guest-token", account, token);
  }

  async useGuestToken(account: AccountRecord): Promise<void> {
    const tokens = account.shares.flatMap((share) => share.tokens.slice(-3));
    const token = tokens[Math.floor(this.#tools.random() * tokens.length)];
    if (token !== undefined) await this.#tools.uploadWith("use-guest-token", account, token);
  }

  /** Ends the uploads of guests, gives them more, or sets a password, which ends the tokens of pages that are open. */
  async changeShare(account: AccountRecord): Promise<void> {
    const share = this.#someShare(account);
    if (share === undefined) return;
    const begunAt = this.#tools.now();
    const drawn = this.#tools.random();
    const isLimits = drawn < 0.4;
    const change = isLimits ? { guests: MORE } : drawn < 0.8 ? { guests: null } : { password: null };
    const ending = await this.#tools.asOwner("change-share", account, (context) =>
      changeShare(context, share.id, change),
    ).ended;
    if (ending.kind !== "answered" || isLimits) return;
    await this.#refuse(
      account,
      share.tokens.filter((token) => token.begunAt < begunAt),
    );
  }

  async endShare(account: AccountRecord): Promise<void> {
    const share = this.#someShare(account);
    if (share === undefined) return;
    const ending = await this.#tools.asOwner("end-share", account, (context) => deleteShare(context, share.id)).ended;
    if (ending.kind !== "answered") return;
    share.refusedFrom = Math.min(share.refusedFrom, this.#tools.now());
    await this.#refuse(account, share.tokens);
  }

  /** Some guest tries at once whether the token still works. */
  async #refuse(account: AccountRecord, tokens: readonly TokenRecord[]): Promise<void> {
    for (const token of tokens) token.refusedFrom = Math.min(token.refusedFrom, this.#tools.now());
    const last = tokens.at(-1);
    if (last !== undefined) await this.#tools.uploadWith("use-guest-token", account, last);
  }

  #limits(): GuestLimits {
    const maxBytes = this.#tools.random() < 0.5 ? null : 500 + Math.floor(this.#tools.random() * 2000);
    return { maxFiles: 1 + Math.floor(this.#tools.random() * 3), maxBytes, types: [] };
  }

  #someShare({ shares }: AccountRecord): ShareRecord | undefined {
    const recent = shares.slice(-2);
    return recent[Math.floor(this.#tools.random() * recent.length)];
  }
}
