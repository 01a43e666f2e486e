import { ERRORS, ServiceError } from "../../../src/domain/errors.ts";
import { keyAs, versionOf, visibleVariantsPrefix } from "../../../src/domain/object-key.ts";
import { isTakenDown } from "../../../src/domain/takedown.ts";
import type { TierName } from "../../../src/domain/tiers.ts";
import { MAX_TOKEN_SECONDS } from "../../../src/domain/upload-token.ts";
import type { Visibility } from "../../../src/domain/visibility.ts";
import { RawBody } from "../../../src/multipart/byte-window.ts";
import { MultipartReader } from "../../../src/multipart/read-multipart.ts";
import { deleteAccount } from "../../../src/services/accounts/delete-account.ts";
import { changeOwnersRules } from "../../../src/services/accounts/owners-rules.ts";
import { register, UnansweredRegistrationError } from "../../../src/services/accounts/register.ts";
import { setTier } from "../../../src/services/accounts/set-tier.ts";
import { updateSettings } from "../../../src/services/accounts/update-settings.ts";
import { authenticate } from "../../../src/services/auth/authenticate.ts";
import type { AccountContext, Services } from "../../../src/services/context.ts";
import { createFolder } from "../../../src/services/folders/create-folder.ts";
import { deleteFolder } from "../../../src/services/folders/delete-folder.ts";
import { changeStatus } from "../../../src/services/images/change-status.ts";
import { deleteImage } from "../../../src/services/images/delete-image.ts";
import { getOwnUpload } from "../../../src/services/images/get-own-upload.ts";
import { listImages } from "../../../src/services/images/list-images.ts";
import { updateImage } from "../../../src/services/images/update-image.ts";
import { createImport } from "../../../src/services/imports/create-import.ts";
import { stopImport } from "../../../src/services/imports/read-imports.ts";
import { createApiKey } from "../../../src/services/keys/create-api-key.ts";
import { regenerateUploadKey } from "../../../src/services/keys/regenerate-upload-key.ts";
import { revokeKey } from "../../../src/services/keys/revoke-key.ts";
import { restoreTakedown, takeDownFile } from "../../../src/services/operator/takedowns.ts";
import { moveAccount } from "../../../src/services/shards/shards.ts";
import { createUploadToken } from "../../../src/services/upload-tokens/create-upload-token.ts";
import { revokeUploadToken } from "../../../src/services/upload-tokens/revoke-upload-token.ts";
import { MAX_CLAIM_WAIT_MS } from "../../../src/services/uploads/known-bytes.ts";
import { replaceContent } from "../../../src/services/uploads/replace-content.ts";
import { uploadForm, uploadRawBody } from "../../../src/services/uploads/upload-files.ts";
import {
  checkDeleted,
  checkDuplicate,
  checkExpirySet,
  checkFull,
  checkReplaced,
  checkStored,
  checkTakenDown,
  checkUnique,
  checkVisibility,
} from "./check-answers.ts";
import { type ClientFile, copyOf, drawFile } from "./files.ts";
import { Guests, SHARE_VERBS } from "./guests.ts";
import {
  type AccountRecord,
  beginChange,
  type DeletionAttempt,
  endChange,
  type KeyRecord,
  must,
  openAccountRecord,
  type TokenRecord,
  type UploadAttempt,
  Violation,
} from "./history.ts";
import { Owners } from "./owners.ts";
import type { Party, Scheduler } from "./scheduler.ts";
import { internet } from "./stand-ins/open-source.ts";
import { type Ending, INTENT_TIMEOUT_SECONDS, SHARDS, statusOf, type World } from "./world.ts";

const CLIENT = { device: "Simulated", address: "192.0.2.1" };
const BOUNDARY = "simulated-boundary";
const TIERS_DRAWN: readonly TierName[] = ["free", "starter", "pro"];
const MAX_BATCH = 3;
const MOST_RULES = 4;
const MOST_RENEWALS = 5;
const FAR_EXPIRY_MS = 30 * 86_400_000;
/** A renewal takes about this long to reach the account's object. */
const RENEWED_BEFORE_MS = 40;
/** A client that sends nothing for three quarters of the intents' timeout is disconnected. */
const MAX_PAUSE_MS = 80_000;

/** The relative frequency of each kind of request in a schedule. */
export type Habits = Readonly<Partial<Record<Verb, number>>>;

const VERBS = {
  upload: 30,
  uploadBatch: 8,
  delete: 22,
  replace: 10,
  get: 5,
  list: 6,
  trash: 4,
  createFolder: 4,
  deleteFolder: 4,
  moveUpload: 4,
  expire: 6,
  setVisibility: 7,
  makeVariant: 9,
  takeDown: 5,
  restore: 5,
  setTier: 3,
  setSettings: 4,
  setHotlink: 4,
  makeKey: 3,
  revokeKey: 3,
  useKey: 3,
  makeToken: 3,
  useToken: 8,
  revokeToken: 1,
  importFiles: 8,
  stopImport: 2,
  moveLibrary: 3,
  setEmail: 2,
  resetPassword: 2,
  changePassword: 2,
  logIn: 2,
  useSession: 2,
  register: 1,
  erase: 1,
} as const;

export type Verb = keyof typeof VERBS | keyof typeof SHARE_VERBS | "renewExpiry" | "changeExpiry" | "changeTrash";

/** In these schedules one kind of request is the most frequent, so that several of a rare kind coincide. */
const FAVOURED_SHARE = 0.2;
const FAVOURED_WEIGHT = 150;

/**
 * Some kinds of request are left out of a schedule, so that the others coincide more often.
 * @param hasShares whether there are requests about shares, too
 */
export function drawHabits(random: () => number, hasShares: boolean): Habits {
  const rare: readonly string[] = [
    "moveLibrary",
    "erase",
    "setTier",
    "register",
    "takeDown",
    "setEmail",
    "resetPassword",
  ];
  const entries = Object.entries(VERBS).map(([verb, weight]): [string, number] => {
    const isLeftOut = verb !== "upload" && random() < (rare.includes(verb) ? 0.7 : 0.3);
    return [verb, isLeftOut ? 0 : weight * (0.3 + random())];
  });
  if (random() < FAVOURED_SHARE) {
    const favoured = entries[Math.floor(random() * entries.length)];
    if (favoured !== undefined) favoured[1] = FAVOURED_WEIGHT * (0.3 + random());
  }
  return { ...(Object.fromEntries(entries) as Habits), ...(hasShares && SHARE_VERBS) };
}

/** The clients of a schedule's accounts. Each sends one request after the other; all of them run at the same time. */
export class Clients {
  readonly accounts: AccountRecord[] = [];
  readonly #world: World;
  readonly #habits: Habits;
  readonly #limit: number;
  readonly #dedupes: boolean;
  readonly #hasSlowBodies: boolean;
  readonly #owners: Owners;
  readonly #guests: Guests;
  #begun = 0;
  #ended = 0;
  #files = 0;
  #clients = 0;

  /**
   * @param options.limit how many requests all of them make
   * @param options.dedupes whether uploads ask for no second file with the same bytes
   * @param options.hasSlowBodies whether every body comes in pieces, with pauses
   */
  constructor(
    world: World,
    habits: Habits,
    {
      limit,
      dedupes,
      hasSlowBodies,
    }: { readonly limit: number; readonly dedupes: boolean; readonly hasSlowBodies: boolean },
  ) {
    this.#world = world;
    this.#habits = habits;
    this.#limit = limit;
    this.#dedupes = dedupes;
    this.#hasSlowBodies = hasSlowBodies;
    this.#owners = new Owners({
      world,
      now: () => this.#now,
      request: (name, work) => this.#request(name, work),
      asOwner: (name, account, work) => this.#asOwner(name, account, work),
      admit,
      useKey: (key) => this.#use(key),
    });
    this.#guests = new Guests({
      now: () => this.#now,
      random: () => this.#random(),
      request: (name, work) => this.#request(name, work),
      asOwner: (name, account, work) => this.#asOwner(name, account, work),
      uploadWith: (name, account, token) => this.#uploadWith(name, account, token),
    });
  }

  get areDone(): boolean {
    return this.#begun >= this.#limit && this.#ended === this.#begun;
  }

  /** Opens an account while no faults happen. */
  async open(tier: TierName): Promise<void> {
    const account = await this.#register();
    if (account.outcome !== "registered") throw new Error("An account could not be opened in calm weather");
    // From now on it records events.
    await this.#world.request("read-events", ({ meterOf }) => meterOf(account.id).readEvents(0, 1)).ended;
    const change = beginChange(account.tiers, tier, this.#now);
    await this.#request("open", (services) =>
      setTier(services, this.#emailOf(account), { tier, accountId: account.id }),
    ).ended;
    endChange(change, true, this.#now);
  }

  start(count: number): void {
    for (let index = 0; index < count; index++) this.#parkNext(++this.#clients);
  }

  #parkNext(client: number): void {
    const { scheduler } = this.#world;
    scheduler.park({
      label: () => `client ${client} continues`,
      party: { name: `client ${client}`, isAlive: true, disturbances: 0 },
      readyAt: scheduler.now + (scheduler.random() < 0.2 ? Math.floor(scheduler.random() * 20_000) : 0),
      deadline: Number.POSITIVE_INFINITY,
      run: () => {
        if (this.#begun >= this.#limit) return;
        this.#begun += 1;
        const goOn = () => {
          this.#ended += 1;
          this.#parkNext(client);
        };
        this.#next().then(goOn, (error: unknown) => {
          scheduler.fail(error);
          goOn();
        });
      },
    });
  }

  #next(): Promise<unknown> {
    const verb = this.#drawVerb();
    const account = this.#pick(this.accounts.filter(({ outcome }) => outcome === "registered"));
    if (verb === "register" || account === undefined) return this.#register();
    return verb in SHARE_VERBS ? this.#guests[verb as keyof typeof SHARE_VERBS](account) : this.#do(verb, account);
  }

  #do(verb: Verb, account: AccountRecord): Promise<unknown> {
    return this[verb as Exclude<keyof typeof VERBS, "register">](account);
  }

  #drawVerb(): Verb {
    const entries = Object.entries(this.#habits) as [Verb, number][];
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.#random() * total;
    for (const [verb, weight] of entries) {
      left -= weight;
      if (left < 0) return verb;
    }
    return "upload";
  }

  async #register(): Promise<AccountRecord> {
    const account = openAccountRecord(`account${this.accounts.length + 1}@example.com`);
    this.accounts.push(account);
    const password = beginChange(account.passwords, "a password", this.#now);
    const input = { email: account.email, password: password.value, name: null, from: CLIENT, applicant: undefined };
    const ending = await this.#request("register", (services) => register(services, input)).ended;
    endChange(password, ending.kind === "answered", this.#now);
    if (ending.kind === "answered") {
      const { value } = ending;
      account.outcome = "registered";
      account.id = value.account.id;
      account.token = value.session.token;
      account.sessions.push({ token: account.token, refusedFrom: Number.POSITIVE_INFINITY });
      account.keys.push({
        id: "",
        secret: value.uploadKey,
        kind: "upload",
        madeAt: this.#now,
        refusedFrom: Number.POSITIVE_INFINITY,
      });
    } else {
      const isUnknown = ending.kind === "silent" || ending.error instanceof UnansweredRegistrationError;
      account.outcome = isUnknown ? "unknown" : "refused";
    }
    return account;
  }

  async upload(account: AccountRecord): Promise<void> {
    const visibility = this.#random() < 0.2 ? "private" : "public";
    const source = this.#dedupes && this.#random() < 0.6 ? this.#pick(account.uploads.slice(-2)) : undefined;
    const attempt = this.#beginUpload(account, visibility, { dedupes: this.#dedupes, source });
    const folderId = this.#folderOf(account);
    const breaksOff = this.#random() < 0.04;
    // A raw body without a length may break off unnoticed: the first half of a file then counts as a file.
    const isSizeKnown = this.#random() < 0.7 || breaksOff;
    const { bytes, name } = attempt.file;
    const { ended } = this.#asOwner(
      "upload",
      account,
      (context, party) => {
        const sent = breaksOff ? bytes.subarray(0, bytes.length >> 1) : bytes;
        const body = new RawBody(this.#stream(sent, party), isSizeKnown ? bytes.length : undefined, 1_000_000);
        return uploadRawBody(context, body, {
          filename: name,
          fields: { folderId, visibility },
          ...(attempt.dedupes && { options: { dedupe: "true" } }),
        });
      },
      true,
    );
    this.#endUploads(account, [attempt], await ended);
  }

  async uploadBatch(account: AccountRecord): Promise<void> {
    const visibility = this.#random() < 0.2 ? "private" : "public";
    const attempts = Array.from({ length: 2 + Math.floor(this.#random() * (MAX_BATCH - 1)) }, () =>
      this.#beginUpload(account, visibility),
    );
    const body = toForm(
      attempts.map(({ file }) => file),
      visibility,
    );
    const { ended } = this.#asOwner(
      "upload-batch",
      account,
      (context, party) =>
        uploadForm(context, new MultipartReader(this.#stream(body, party), BOUNDARY, body.length, 1_000_000)),
      true,
    );
    this.#endUploads(account, attempts, await ended);
  }

  /** @param options.source a file with whose bytes another is sent */
  #beginUpload(
    account: AccountRecord,
    visibility: Visibility = "public",
    { dedupes = false, source }: { readonly dedupes?: boolean; readonly source?: UploadAttempt | undefined } = {},
  ): UploadAttempt {
    const number = ++this.#files;
    const file = source === undefined ? drawFile(number, () => this.#random()) : copyOf(source.file, number);
    const attempt: UploadAttempt = {
      file,
      dedupes,
      begunAt: this.#now,
      outcome: "open",
      endedAt: Number.POSITIVE_INFINITY,
      id: "",
      sizeBytes: 0,
      objectKey: "",
      contents: [{ value: file, begunAt: this.#now, endedAt: this.#now, isAnswered: true }],
      visibilities: [{ value: visibility, begunAt: this.#now, endedAt: this.#now, isAnswered: true }],
      deletions: [],
      takedowns: [],
      expiries: [],
    };
    account.uploads.push(attempt);
    return attempt;
  }

  #endUploads(
    account: AccountRecord,
    attempts: readonly UploadAttempt[],
    ending: Ending<Awaited<ReturnType<typeof uploadRawBody>>>,
  ): void {
    for (const [index, attempt] of attempts.entries()) {
      attempt.endedAt = this.#now;
      attempt.outcome = refusalOf(ending) ? "refused" : "unknown";
      if (statusOf(ending) === 413) checkFull(account, attempt);
      if (ending.kind !== "answered") continue;
      const result = ending.value[index];
      if (result === undefined || "failed" in result) {
        attempt.outcome = "refused";
        continue;
      }
      if (result.isDuplicate) {
        attempt.outcome = "refused";
        checkDuplicate(this.#world, account, attempt, result.upload);
        continue;
      }
      attempt.outcome = "stored";
      attempt.id = result.upload.id;
      attempt.sizeBytes = result.upload.sizeBytes;
      attempt.objectKey = result.upload.objectKey;
      checkStored(this.#world, account, attempt);
      if (attempt.dedupes) checkUnique(account, attempt);
    }
  }

  async delete(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt !== undefined) await this.#delete(account, attempt);
  }

  /** An owner moves a file to the trash and back, and deletes it only from the trash, in any order, and whether or not the last try was answered. */
  async changeTrash(account: AccountRecord): Promise<void> {
    const attempt = this.#someLiving(account);
    if (attempt === undefined) return this.upload(account);
    for (let left = 1 + Math.floor(this.#random() * MOST_RENEWALS); left > 0 && !attempt.isGone; left--) {
      const to = this.#random() < 0.5 ? "trash" : "active";
      if (this.#random() < 0.3) await this.#delete(account, attempt, "trash");
      else {
        attempt.mayBeTrashed ||= to === "trash";
        await this.#asOwner(to, account, (context) => changeStatus(context, [attempt.id], to)).ended;
      }
    }
  }

  async #delete(account: AccountRecord, attempt: UploadAttempt, onlyFrom?: "trash"): Promise<void> {
    const deletion: DeletionAttempt = {
      begunAt: this.#now,
      outcome: "open",
      endedAt: Number.POSITIVE_INFINITY,
      party: () => party,
    };
    attempt.deletions.push(deletion);
    const { party, ended } = this.#asOwner(
      "delete",
      account,
      (context) => deleteImage(context, attempt.id, onlyFrom),
      true,
    );
    const ending = await ended;
    must(statusOf(ending) !== 403, () => `${attempt.file.name} is foreign to its owner`);
    deletion.endedAt = this.#now;
    if (ending.kind === "answered") deletion.outcome = "deleted";
    const mayBeDeleted = onlyFrom === undefined || attempt.mayBeTrashed === true || attempt.deletions.length > 1;
    must(
      mayBeDeleted || deletion.outcome !== "deleted",
      () => `${attempt.file.name} was never in the trash, and is deleted`,
    );
    if (ending.kind !== "answered")
      deletion.outcome = statusOf(ending) === 404 ? "gone" : refusalOf(ending) ? "refused" : "unknown";
    checkDeleted(this.#world, account, attempt, deletion);
  }

  /** Gives a file other bytes. It keeps its name, by which the checks know it. */
  async replace(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined) return;
    const file = drawFile(++this.#files, () => this.#random());
    const content = beginChange(attempt.contents, file, this.#now);
    const ending = await this.#asOwner(
      "replace",
      account,
      (context, party) => {
        const isSizeKnown = this.#random() < 0.7;
        const raw = new RawBody(
          this.#stream(file.bytes, party),
          isSizeKnown ? file.bytes.length : undefined,
          1_000_000,
        );
        return replaceContent(context, attempt.id, { raw, filename: "" });
      },
      true,
    ).ended;
    endChange(content, ending.kind === "answered", this.#now);
    if (statusOf(ending) === 404) mustHaveBeenDeleted(account, attempt, "it cannot be replaced");
    // A deletion may have followed the replacement before its request read the upload again.
    if (refusalOf(ending) && statusOf(ending) !== 404) attempt.contents.splice(attempt.contents.indexOf(content), 1);
    if (ending.kind !== "answered") return;
    attempt.objectKey = ending.value.objectKey;
    checkReplaced(this.#world, account, attempt);
  }

  async get(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined) return;
    const begunAt = this.#now;
    const get = (context: AccountContext) => getOwnUpload(context, attempt.id, ERRORS.ForeignImage);
    const ending = await this.#asOwner("get", account, get).ended;
    if (ending.kind === "answered") mustNotBeDeleted(attempt, begunAt, "it can be got");
    if (statusOf(ending) === 404) mustHaveBeenDeleted(account, attempt, "it cannot be got");
    must(statusOf(ending) !== 403, () => `${attempt.file.name} is foreign to its owner`);
  }

  async list(account: AccountRecord): Promise<void> {
    const begunAt = this.#now;
    const stored = account.uploads.filter(({ outcome }) => outcome === "stored");
    const query = { page: 1, limit: 100, status: "all", folderId: "all", tags: [], excludedTags: [] } as Parameters<
      typeof listImages
    >[1];
    const ending = await this.#asOwner("list", account, (context) => listImages(context, query)).ended;
    if (ending.kind !== "answered") return;
    const listed = new Set(ending.value.rows.map(({ id }) => id));
    for (const attempt of stored) {
      if (listed.has(attempt.id)) mustNotBeDeleted(attempt, begunAt, "it is listed");
      else mustHaveBeenDeleted(account, attempt, "it is not listed");
    }
  }

  async trash(account: AccountRecord): Promise<void> {
    const attempts = [this.#someUpload(account), this.#someUpload(account)].filter((attempt) => attempt !== undefined);
    const ids = attempts.map(({ id }) => id);
    const to = this.#random() < 0.5 ? "trash" : "active";
    if (to === "trash") for (const attempt of attempts) attempt.mayBeTrashed = true;
    const ending = await this.#asOwner(to, account, (context) => changeStatus(context, ids, to)).ended;
    if (ending.kind === "answered")
      must(ending.value <= new Set(ids).size, () => `${ending.value} of ${ids.length} uploads changed their status`);
  }

  async createFolder(account: AccountRecord): Promise<void> {
    const parentId = this.#folderOf(account) ?? null;
    const input = { name: `folder ${this.#now}`, parentId, icon: null };
    const ending = await this.#asOwner("create-folder", account, (context) => createFolder(context, input)).ended;
    if (ending.kind === "answered") account.folders.push({ id: ending.value.id, parentId, deletions: [] });
  }

  async deleteFolder(account: AccountRecord): Promise<void> {
    const folder = this.#pick(account.folders);
    if (folder === undefined) return;
    const deletion: (typeof folder.deletions)[number] = { outcome: "open" };
    folder.deletions.push(deletion);
    const ending = await this.#asOwner("delete-folder", account, (context) => deleteFolder(context, folder.id)).ended;
    deletion.outcome = ending.kind === "answered" ? "deleted" : "unknown";
    const deleted = folder.deletions.filter(({ outcome }) => outcome === "deleted");
    must(deleted.length <= 1, () => "A folder was deleted by two requests");
  }

  async moveUpload(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined) return;
    const change = { folderId: this.#folderOf(account) ?? null, favorite: this.#random() < 0.5 };
    await this.#asOwner("move-upload", account, (context) => updateImage(context, attempt.id, change)).ended;
  }

  /** Sets the time of a deletion, which often comes before the clients have finished, or removes it. */
  async expire(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined) return;
    const at = this.#random() < 0.7 ? this.#world.scheduler.now + 1000 + Math.floor(this.#random() * 200_000) : null;
    await this.#setExpiry(account, attempt, at);
  }

  /** An owner changes an expiry when it comes due. */
  async renewExpiry(account: AccountRecord): Promise<void> {
    const attempt = this.#someLiving(account);
    if (attempt === undefined) return this.upload(account);
    const { scheduler } = this.#world;
    for (let left = 1 + Math.floor(this.#random() * MOST_RENEWALS); left > 0 && !attempt.isGone; left--) {
      const at = scheduler.now + 1000 + Math.floor(this.#random() * 4000);
      if (!(await this.#setExpiry(account, attempt, at))) continue;
      const owner = { name: "owner", isAlive: true, disturbances: 0 };
      await pause(scheduler, owner, Math.max(0, at - scheduler.now - Math.floor(this.#random() * RENEWED_BEFORE_MS)));
      await this.#setExpiry(account, attempt, this.#farExpiry());
    }
  }

  /** An owner tries several expiries, one after the other, whether or not the last try was answered. */
  async changeExpiry(account: AccountRecord): Promise<void> {
    const attempt = this.#someLiving(account);
    if (attempt === undefined) return this.upload(account);
    for (let left = 1 + Math.floor(this.#random() * MOST_RENEWALS); left > 0 && !attempt.isGone; left--)
      await this.#setExpiry(account, attempt, this.#farExpiry());
  }

  /** A time after the schedule's end, or never. Requests at the same time often choose the same. */
  #farExpiry(): number | null {
    const at = this.#world.scheduler.now + FAR_EXPIRY_MS;
    return this.#random() < 0.6 ? at - (at % 1000) : null;
  }

  /**
   * @param at milliseconds since the epoch; null for never
   * @returns whether it was answered
   */
  async #setExpiry(account: AccountRecord, attempt: UploadAttempt, at: number | null): Promise<boolean> {
    const change = beginChange(attempt.expiries, at, this.#now);
    const expiresAt = at === null ? null : new Date(at).toISOString();
    const { party, ended } = this.#asOwner("expire", account, (context) =>
      updateImage(context, attempt.id, { expiresAt }),
    );
    if (at !== null) {
      const deletion = { begunAt: this.#now, endedAt: Number.POSITIVE_INFINITY, party: () => party };
      attempt.deletions.push({ ...deletion, isExpiry: true, outcome: "unknown" });
    }
    const ending = await ended;
    // The call of an isolate that died may still arrive.
    if (ending.kind !== "silent") endChange(change, ending.kind === "answered", this.#now);
    if (statusOf(ending) === 404) mustHaveBeenDeleted(account, attempt, "it cannot be changed");
    if (statusOf(ending) === 404) attempt.isGone = true;
    if (change.isAnswered) checkExpirySet(this.#world, account, attempt);
    return change.isAnswered;
  }

  async setVisibility(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined) return;
    const visibility = this.#random() < 0.6 ? "private" : "public";
    const change = beginChange(attempt.visibilities, visibility, this.#now);
    const ending = await this.#asOwner("set-visibility", account, (context) =>
      updateImage(context, attempt.id, { visibility }),
    ).ended;
    endChange(change, ending.kind === "answered", this.#now);
    if (statusOf(ending) === 404) mustHaveBeenDeleted(account, attempt, "its visibility cannot change");
    if (ending.kind === "answered") checkVisibility(this.#world, account, attempt);
  }

  /** Stores a variant of a file as the CDN Worker's maker does: it looks for the file before and afterwards. */
  async makeVariant(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined || attempt.objectKey === "") return;
    const visibility = this.#random() < 0.6 ? "public" : "private";
    const fileKey = keyAs(attempt.objectKey, visibility);
    const variant = `${visibleVariantsPrefix(account.id, versionOf(attempt.objectKey), visibility)}w64-q75.jpg`;
    await this.#request("make-variant", async ({ files }) => {
      const isGone = async () => {
        const file = await files.head(fileKey);
        return file === null || isTakenDown(file);
      };
      if (await isGone()) return;
      await files.put(variant, "a variant");
      if (await isGone()) await files.delete(variant);
    }).ended;
  }

  async takeDown(account: AccountRecord): Promise<void> {
    const attempt = this.#someUpload(account);
    if (attempt === undefined) return;
    const keepDays = this.#random() < 0.8 ? 30 : 0;
    const change = beginChange(attempt.takedowns, true, this.#now);
    if (keepDays === 0) attempt.mayBeDestroyed = true;
    const wish = { file: attempt.id, reason: "Simulated", keepDays, actor: "simulation" };
    const ending = await this.#request("take-down", (services) => takeDownFile(services, wish)).ended;
    endChange(change, ending.kind === "answered", this.#now);
    if (statusOf(ending) === 404) mustHaveBeenDeleted(account, attempt, "it cannot be taken down");
    if (ending.kind !== "answered") return;
    attempt.keptTakedown = ending.value.keepUntil === null ? undefined : ending.value.id;
    if (keepDays > 0) attempt.mayBeDestroyed = false;
    checkTakenDown(this.#world, account, attempt);
  }

  async restore(account: AccountRecord): Promise<void> {
    const attempt = this.#pick(account.uploads.filter(({ keptTakedown }) => keptTakedown !== undefined));
    const id = attempt?.keptTakedown;
    if (attempt === undefined || id === undefined) return;
    const change = beginChange(attempt.takedowns, false, this.#now);
    const ending = await this.#request("restore", (services) => restoreTakedown(services, id)).ended;
    endChange(change, ending.kind === "answered" && ending.value, this.#now);
    const isKept = attempt.mayBeDestroyed !== true;
    must(!isKept || statusOf(ending) !== 409, () => `The kept bytes of ${attempt.file.name} are destroyed`);
  }

  async setTier(account: AccountRecord): Promise<void> {
    const tier = this.#pick(TIERS_DRAWN) ?? "free";
    const change = beginChange(account.tiers, tier, this.#now);
    const ending = await this.#request("set-tier", (services) =>
      setTier(services, this.#emailOf(account), { tier, accountId: account.id }),
    ).ended;
    endChange(change, ending.kind === "answered", this.#now);
  }

  async setSettings(account: AccountRecord): Promise<void> {
    const value = { autoCompress: this.#random() < 0.6, compressionQuality: 50 + Math.floor(this.#random() * 50) };
    const change = beginChange(account.settings, value, this.#now);
    const ending = await this.#asOwner("settings", account, (context) => updateSettings(context, value)).ended;
    endChange(change, ending.kind === "answered", this.#now);
  }

  /** Owners try several rules, one after the other, whether or not the last try was answered. */
  async setHotlink(account: AccountRecord): Promise<void> {
    for (let left = 1 + Math.floor(this.#random() * MOST_RULES); left > 0; left--) {
      const allowedHosts = [`${Math.floor(this.#random() * 100)}.example`];
      const rule = this.#random() < 0.2 ? null : { allowedHosts, allowEmptyReferer: this.#random() < 0.5 };
      await this.#asOwner("hotlink", account, (context) => changeOwnersRules(context, { hotlink: rule })).ended;
    }
  }

  async makeKey(account: AccountRecord): Promise<void> {
    const before = account.keys.filter(({ kind }) => kind === "upload");
    let isUploadKey = false;
    const ending = await this.#asOwner("make-key", account, (context) => {
      isUploadKey = context.figures.tier !== "pro" && context.figures.tier !== "business";
      return isUploadKey
        ? regenerateUploadKey(context)
        : createApiKey(context, { name: "key", scopes: ["folders:read"], expiresAt: null, folderId: null });
    }).ended;
    if (ending.kind !== "answered") return;
    const { secret, key } = ending.value;
    if (isUploadKey) for (const old of before) old.refusedFrom = Math.min(old.refusedFrom, this.#now);
    const kind = isUploadKey ? "upload" : "api";
    account.keys.push({ id: key.id, secret, kind, madeAt: this.#now, refusedFrom: Number.POSITIVE_INFINITY });
  }

  async revokeKey(account: AccountRecord): Promise<void> {
    const key = this.#pick(account.keys.filter(({ id, kind }) => id !== "" && kind === "api"));
    if (key === undefined) return;
    // An isolate then knows the key and does not query the directory any more.
    await this.#use(key);
    const ending = await this.#asOwner("revoke-key", account, (context) => revokeKey(context, key.id)).ended;
    if (ending.kind !== "answered") return;
    key.refusedFrom = Math.min(key.refusedFrom, this.#now);
    await this.#use(key);
  }

  async useKey(account: AccountRecord): Promise<void> {
    const key = this.#pick(account.keys);
    if (key !== undefined) await this.#use(key);
  }

  async #use(key: KeyRecord): Promise<void> {
    const begunAt = this.#now;
    const ending = await this.#request("use-key", (services) => admit(services, key.secret)).ended;
    must(!(ending.kind === "answered" && key.refusedFrom <= begunAt), () => "A key that was revoked is admitted");
  }

  async makeToken(account: AccountRecord): Promise<void> {
    const limits = {
      maxFiles: 1 + Math.floor(this.#random() * 3),
      maxBytes: this.#random() < 0.5 ? null : 500 + Math.floor(this.#random() * 2000),
      expiresInSeconds: MAX_TOKEN_SECONDS,
    };
    const ending = await this.#asOwner("make-token", account, (context) =>
      createUploadToken(context, { ...limits, types: [], folderId: null, tags: [], origins: [] }),
    ).ended;
    if (ending.kind !== "answered") return;
    const { id, secret } = ending.value;
    account.uploadTokens.push({ id, secret, refusedFrom: Number.POSITIVE_INFINITY });
  }

  /** A visitor uploads one file or several. Most visitors use the newest token, so that they share it. */
  async useToken(account: AccountRecord): Promise<void> {
    const token = this.#pick(account.uploadTokens.slice(-2));
    if (token !== undefined) await this.#uploadWith("use-token", account, token);
  }

  async #uploadWith(name: string, account: AccountRecord, token: TokenRecord): Promise<void> {
    const begunAt = this.#now;
    const attempts = Array.from({ length: 1 + Math.floor(this.#random() * MAX_BATCH) }, () =>
      this.#beginUpload(account),
    );
    const body = toForm(attempts.map(({ file }) => file));
    const { ended } = this.#request(name, async (services, party) => {
      const context = await admit(services, token.secret, true);
      must(token.refusedFrom > begunAt, () => "An upload token that was revoked is admitted");
      return uploadForm(context, new MultipartReader(this.#stream(body, party), BOUNDARY, body.length, 1_000_000));
    });
    this.#endUploads(account, attempts, await ended);
  }

  async revokeToken(account: AccountRecord): Promise<void> {
    const token = this.#pick(account.uploadTokens);
    if (token === undefined) return;
    const ending = await this.#asOwner("revoke-token", account, (context) => revokeUploadToken(context, token.id))
      .ended;
    if (ending.kind === "answered") token.refusedFrom = Math.min(token.refusedFrom, this.#now);
  }

  /** The service fetches one file or several, and one file that does not exist. `checkImports` checks the outcomes later. */
  async importFiles(account: AccountRecord): Promise<void> {
    const attempts = Array.from({ length: 1 + Math.floor(this.#random() * MAX_BATCH) }, () =>
      this.#beginUpload(account),
    );
    for (const attempt of attempts) attempt.outcome = "unknown";
    const urls = attempts.map(({ file }) => {
      internet.files.set(`https://files.example/${file.name}`, file.bytes);
      return `https://files.example/${file.name}`;
    });
    const items = [...urls, "https://files.example/missing"].map((url) => ({ url, filename: null, tags: [] }));
    const ending = await this.#asOwner("import", account, (context) => createImport(context, items)).ended;
    if (ending.kind === "answered") account.imports.push(ending.value);
  }

  async stopImport(account: AccountRecord): Promise<void> {
    const id = this.#pick(account.imports.slice(-2));
    if (id !== undefined) await this.#asOwner("stop-import", account, (context) => stopImport(context, id)).ended;
  }

  async moveLibrary(account: AccountRecord): Promise<void> {
    const shard = this.#pick(SHARDS) ?? "00";
    const change = beginChange(account.moves, shard, this.#now);
    const ending = await this.#request("move", (services) => moveAccount(services, this.#emailOf(account), shard))
      .ended;
    endChange(change, ending.kind === "answered" && ending.value.outcome === "moved", this.#now);
  }

  setEmail(account: AccountRecord): Promise<void> {
    return this.#owners.setEmail(account);
  }

  resetPassword(account: AccountRecord): Promise<void> {
    return this.#owners.resetPassword(account);
  }

  changePassword(account: AccountRecord): Promise<void> {
    return this.#owners.changePassword(account);
  }

  logIn(account: AccountRecord): Promise<void> {
    return this.#owners.logIn(account);
  }

  useSession(account: AccountRecord): Promise<void> {
    return this.#owners.useSession(account);
  }

  async erase(account: AccountRecord): Promise<void> {
    account.eraseBegunAt = Math.min(account.eraseBegunAt, this.#now);
    const ending = await this.#asOwner("erase", account, (context) =>
      deleteAccount(context, account.passwords.at(-1)?.value ?? ""),
    ).ended;
    if (ending.kind === "answered") account.erasedAt = Math.min(account.erasedAt, this.#now);
  }

  /** A request with the session of the account's owner. */
  #asOwner<T>(
    name: string,
    account: AccountRecord,
    work: (context: AccountContext, party: Party) => Promise<T>,
    isOperation = false,
  ) {
    const begunAt = this.#now;
    return this.#request(name, async (services, party) => {
      const context = await admit(services, account.token, isOperation);
      must(account.erasedAt >= begunAt, () => "An account that was erased is admitted");
      return work(context, party);
    });
  }

  #request<T>(name: string, work: (services: Services, party: Party) => Promise<T>) {
    const startedAt = Date.now();
    const { party, ended } = this.#world.request(name, work);
    return {
      party,
      ended: ended.then((ending) => {
        if (ending.kind === "error" && isOurs(ending.error)) throw ending.error;
        const isMoving = this.accounts.some(({ moves }) => moves.length > 0);
        // If time jumps, a timer may be late, and the alarm may take a running request for dead.
        const isOverdue =
          this.#world.scheduler.weather.jump > 0 && Date.now() - startedAt > INTENT_TIMEOUT_SECONDS * 1000;
        // If stores are slow, another upload may keep its claim to the same bytes for longer than this one waits (UP-14).
        const isTired =
          this.#dedupes && this.#world.scheduler.weather.slow > 0 && Date.now() - startedAt > MAX_CLAIM_WAIT_MS;
        const isSound = this.#world.scheduler.harms === 0 && !isMoving && !isOverdue && !isTired;
        // Only an upload that is settled during an erasure fails.
        const isErasing = this.accounts.some(({ eraseBegunAt }) => eraseBegunAt < Number.POSITIVE_INFINITY);
        const isFailure =
          ending.kind === "error" ? (statusOf(ending) ?? 500) >= 500 : hasFailedFile(ending) && !isErasing;
        must(!(isSound && isFailure), () => `${name} is answered "${describe(ending)}" although nothing has failed`);
        return ending;
      }),
    };
  }

  /** The address by which the operator finds the account now. */
  #emailOf({ id, email }: AccountRecord): string {
    return String(this.#world.directory.run("SELECT email FROM accounts WHERE id = ?", [id]).rows[0]?.email ?? email);
  }

  /** An upload that an answer has named; most often a recent one, so that several clients choose the same. */
  #someUpload(account: AccountRecord): UploadAttempt | undefined {
    const known = account.uploads.filter(({ outcome }) => outcome === "stored");
    const isRecent = this.#random() < 0.7;
    return this.#pick(isRecent ? known.slice(-3) : known);
  }

  /** An upload that no answer has called deleted. */
  #someLiving(account: AccountRecord): UploadAttempt | undefined {
    return this.#pick(account.uploads.filter(({ outcome, isGone }) => outcome === "stored" && !isGone));
  }

  #folderOf(account: AccountRecord): string | undefined {
    return this.#random() < 0.5 ? this.#pick(account.folders)?.id : undefined;
  }

  /** A body that arrives in pieces. Some clients are slow, but not so slow that they count as silent. */
  #stream(bytes: Uint8Array, party: Party): ReadableStream<Uint8Array> {
    const { scheduler } = this.#world;
    const isSlow = this.#hasSlowBodies;
    const pieces = isSlow || this.#random() < 0.3 ? 2 + Math.floor(this.#random() * 3) : 1;
    const pieceBytes = Math.ceil(bytes.length / pieces);
    const maxPauseMs = isSlow || this.#random() < 0.4 ? MAX_PAUSE_MS : 0;
    let sent = 0;
    return new ReadableStream({
      type: "bytes",
      async pull(controller) {
        if (sent > 0) await pause(scheduler, party, Math.floor(scheduler.random() * maxPauseMs));
        controller.enqueue(bytes.slice(sent, sent + pieceBytes));
        sent += pieceBytes;
        if (sent >= bytes.length) controller.close();
      },
    });
  }

  #pick<T>(candidates: readonly T[]): T | undefined {
    return candidates[Math.floor(this.#random() * candidates.length)];
  }

  #random(): number {
    return this.#world.scheduler.random();
  }

  get #now(): number {
    return this.#world.scheduler.count;
  }
}

async function admit(services: Services, token: string, isOperation = false): Promise<AccountContext> {
  const client = { ...CLIENT, rate: undefined };
  const authentication = await authenticate(token, { services, client }, { isOperation });
  if (authentication.outcome === "limited") throw authentication.error;
  return authentication.account;
}

/** Waits for more of a client's body. */
function pause(scheduler: Scheduler, party: Party, delayMs: number): Promise<void> {
  if (scheduler.isClosed) return Promise.reject(new Error("The schedule is over"));
  return new Promise((resolve) =>
    scheduler.park({
      label: () => `${party.name}: more of its body comes`,
      party,
      readyAt: scheduler.now + delayMs,
      deadline: Number.POSITIVE_INFINITY,
      run: resolve,
    }),
  );
}

/** @throws Violation */
function mustNotBeDeleted(attempt: UploadAttempt, begunAt: number, but: string): void {
  const deleted = attempt.deletions.find(({ outcome, endedAt }) => outcome === "deleted" && endedAt < begunAt);
  must(deleted === undefined, () => `${attempt.file.name} was deleted, but ${but}`);
}

/** @throws Violation */
function mustHaveBeenDeleted(account: AccountRecord, attempt: UploadAttempt, but: string): void {
  const mayBeGone = attempt.deletions.length > 0 || account.eraseBegunAt < Number.POSITIVE_INFINITY;
  must(mayBeGone, () => `${attempt.file.name} was stored, but ${but}`);
}

function describe(ending: Ending<unknown>): string {
  if (ending.kind === "error") return String(ending.error);
  return hasFailedFile(ending) ? "5xx for a file" : ending.kind;
}

/** Whether an error comes from a mistake in the code. Stores that fail throw none of these. */
function isOurs(error: unknown): boolean {
  return [Violation, TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
}

/** Whether a request was answered, but one of its files failed with a status of 5xx. */
function hasFailedFile(ending: Ending<unknown>): boolean {
  if (ending.kind !== "answered" || !Array.isArray(ending.value)) return false;
  return ending.value.some((file: unknown) => {
    const error = (file as { readonly failed?: { readonly error: unknown } }).failed?.error;
    return error instanceof ServiceError && error.statusCode >= 500;
  });
}

/** After a 4xx answer, nothing was done. */
function refusalOf(ending: Ending<unknown>): boolean {
  const status = statusOf(ending);
  return status !== undefined && status < 500;
}

/** The field follows the files, as it may. */
function toForm(files: readonly ClientFile[], visibility: Visibility = "public"): Uint8Array {
  const parts = files.flatMap(({ name, bytes }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
    bytes,
    "\r\n",
  ]);
  return new Uint8Array(
    Buffer.concat(
      [
        ...parts,
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="visibility"\r\n\r\n${visibility}\r\n`,
        `--${BOUNDARY}--\r\n`,
      ].map((part) => (typeof part === "string" ? Buffer.from(part) : part)),
    ),
  );
}
