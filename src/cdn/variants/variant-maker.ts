import { DurableObject } from "cloudflare:workers";
import type { Codecs, VariantTask } from "../../codecs/worker.ts";
import { isLocal } from "../../domain/client.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { isMediaType, isVideo, type MediaType } from "../../domain/media-types.ts";
import { toPath, variantsPrefix, versionOf, visibleVariantsPrefix } from "../../domain/object-key.ts";
import { isTakenDown } from "../../domain/takedown.ts";
import type { TierName } from "../../domain/tiers.ts";
import { posterName, type Variant } from "../../domain/variants/variant.ts";
import type { MadeObject, VariantKeeper, VariantOrdered } from "../../domain/variants/variant-order.ts";
import { FIRST_FRAME } from "./first-frame.ts";
import { nearestVariant } from "./nearest-variant.ts";
import { OpenOrders } from "./open-orders.ts";
import type { VariantBudget } from "./variant-budget.ts";

/** The most variants of an upload. Beyond it, the nearest larger variant is served. */
const MAX_VARIANTS = 64;
/** A variant that cannot be made is not tried again for this time, because each try reads the file. */
const IMPOSSIBLE_MS = 10 * 60_000;
/** A codec that failed is not tried again for this time, because an image that needs too much memory ends the codec each time. */
const FAILED_MS = 60_000;
/** Longer than the Codec Worker takes for any picture that it accepts. A browser waits for the answer. */
const CODEC_TIMEOUT_MS = 15_000;
/** A Container starts within seconds and takes a frame in one or two. */
const FRAME_TIMEOUT_MS = 20_000;
/** The value of `MEDIA_PROCESSOR` in a deployment without a Container. */
const NONE = "none";

const FAILED = { outcome: "failed", [Symbol.dispose]: () => undefined } as const;

/** The bindings that a maker uses. */
export interface MakerEnv {
  readonly FILES: R2Bucket;
  readonly CODECS: Service<Codecs>;
  /** The queue of orders for the media processor, which only the API Worker can call. */
  readonly UPLOADS: Queue<VariantOrdered>;
  readonly VARIANT_BUDGET: DurableObjectNamespace<VariantBudget>;
  /** Bounds the orders that one address causes. */
  readonly ORDERS_BY_ADDRESS: RateLimit;
  readonly MEDIA_PROCESSOR: string;
}

/** Whether this deployment has a media processor, which makes AVIF, animations, large variants and frames. */
export function hasProcessor({ MEDIA_PROCESSOR }: Pick<MakerEnv, "MEDIA_PROCESSOR">): boolean {
  return MEDIA_PROCESSOR !== NONE;
}

/** The file whose variant is wanted. */
export interface VariantSource {
  readonly accountId: string;
  readonly uploadId: string;
  /** The file's key in R2. */
  readonly fileKey: string;
  /** The file's type, as far as the caller knows it. */
  readonly sourceType: MediaType;
  /** The key of the variant, below the upload's prefix. */
  readonly objectKey: string;
}

type Place = Pick<VariantSource, "accountId" | "fileKey" | "objectKey">;

/** The visitor's address and the account's tier, which limit new variants. */
export interface Payer {
  readonly address: string;
  readonly tier: TierName;
}

/**
 * `stored`: the variant is in R2. `instead`: the variant cannot be made now, and the object with this key is the substitute. `no-frame`:
 * the video's frame cannot be had now. `gone`: the file is deleted. `other-type`: the file has this type, so the caller has to ask for that type's
 * variant.
 */
export type MadeVariant =
  | { readonly outcome: "stored" }
  | { readonly outcome: "instead"; readonly objectKey: string }
  | { readonly outcome: "no-frame" }
  | { readonly outcome: "gone" }
  | { readonly outcome: "other-type"; readonly type: MediaType };

/** A picture in R2 whose variant is made: the file, or a video's frame. */
interface StoredPicture {
  readonly type: MediaType;
  readonly object: R2ObjectBody;
}

interface Wish {
  readonly source: VariantSource;
  readonly variant: Variant;
  readonly payer: Payer;
  /** The keys of the upload's stored variants. */
  readonly names: Set<string>;
  /** Whether the variant is a substitute for an ordered variant. A substitute is never ordered. */
  readonly isStandIn: boolean;
}

/**
 * Makes the variants of one file. Each version of a file has one maker, so a variant is made once, and all requests for it wait. The maker has no
 * tables: it lists R2. If a variant is too large for the Codec Worker, it orders the variant from the media processor and stores the
 * result.
 */
export class VariantMaker extends DurableObject<MakerEnv> implements VariantKeeper {
  #names: Promise<Set<string>> | undefined;
  readonly #inWork = new Map<string, { readonly making: Promise<MadeVariant>; readonly isStandIn: boolean }>();
  readonly #orders = new OpenOrders();
  /** The time from which a variant may be tried again, by its key. */
  readonly #impossible = new Map<string, number>();
  /** Tests shorten them. */
  codecTimeoutMs = CODEC_TIMEOUT_MS;
  frameTimeoutMs = FRAME_TIMEOUT_MS;

  /** Makes a variant unless it is stored or already being made. @throws Error if R2 fails */
  async make(source: VariantSource, variant: Variant, payer: Payer, isStandIn = false): Promise<MadeVariant> {
    const { objectKey } = source;
    const known = this.#inWork.get(objectKey);
    if (known !== undefined) {
      const made = await known.making;
      if (made.outcome === "other-type" && made.type === source.sourceType)
        return this.make(source, variant, payer, isStandIn);
      // A substitute is never ordered, but the variant itself may be.
      return known.isStandIn && !isStandIn && made.outcome === "instead" ? this.make(source, variant, payer) : made;
    }
    const making = this.#make({ source, variant, payer, isStandIn }).finally(() => this.#inWork.delete(objectKey));
    this.#inWork.set(objectKey, { making, isStandIn });
    return making;
  }

  /** @throws Error if R2 fails; the order is delivered again */
  async keep(order: VariantOrdered, made: MadeObject, body: ReadableStream<Uint8Array>): Promise<"kept" | "gone"> {
    const { objectKey, fileKey } = order;
    if (await this.#isGone(fileKey)) {
      await body.cancel();
      this.#orders.close(objectKey, false);
      return "gone";
    }
    const isStored = await this.#put(order, body.pipeThrough(new FixedLengthStream(made.sizeBytes)), {
      httpMetadata: { contentType: made.contentType },
      ...(made.isFirstFrame ? { customMetadata: FIRST_FRAME } : {}),
    });
    if (isStored) (await this.#stored(order)).add(objectKey);
    this.#orders.close(objectKey, isStored);
    return isStored ? "kept" : "gone";
  }

  async decline(order: VariantOrdered): Promise<void> {
    const { objectKey } = order;
    this.#noteImpossible(objectKey, IMPOSSIBLE_MS);
    this.#orders.close(objectKey, false);
    // An earlier delivery may have stored the object, which is deleted by now.
    await this.#forget(order);
  }

  async settle({ accountId }: VariantOrdered, seconds: number): Promise<void> {
    await this.env.VARIANT_BUDGET.getByName(accountId).settle(seconds);
  }

  async #make(asked: Omit<Wish, "names">): Promise<MadeVariant> {
    const { source, variant } = asked;
    const { FILES } = this.env;
    const { fileKey, objectKey } = source;
    const isForCodec =
      variant.frameMs === undefined && !this.#isImpossible(objectKey) && !this.#orders.isOpen(objectKey);
    // A file of a type that the codec cannot read is not opened.
    const opened = isForCodec ? await FILES.get(fileKey) : undefined;
    const object = opened === undefined ? await FILES.head(fileKey) : opened;
    if (object === null) {
      // Its variants are deleted, too.
      this.#names = undefined;
      return { outcome: "gone" };
    }
    const type = object.httpMetadata?.contentType;
    const isKnown = type !== undefined && isMediaType(type) && !isTakenDown(object);
    const isOther = isKnown && type !== source.sourceType;
    if (!isKnown || isOther || (isVideo(type) && variant.frameMs === undefined)) {
      await opened?.body.cancel();
      return isOther ? { outcome: "other-type", type } : { outcome: "instead", objectKey: fileKey };
    }
    const names = await this.#stored(source);
    // The caller did not find the object, so it was deleted.
    names.delete(objectKey);
    const wish = { ...asked, names };
    if (this.#isImpossible(objectKey) || !this.#hasRoom(names, objectKey)) {
      await opened?.body.cancel();
      return this.#instead(wish);
    }
    if (opened) return this.#makeOf({ type, object: opened }, wish);
    if (variant.frameMs === undefined || this.#orders.isOpen(objectKey)) return this.#instead(wish);
    const frame = await this.#findFrame(wish, type, variant.frameMs);
    return frame === undefined ? { outcome: "no-frame" } : this.#makeOf(frame, wish);
  }

  async #makeOf(picture: StoredPicture, wish: Wish): Promise<MadeVariant> {
    const { type, object } = picture;
    const { source, variant } = wish;
    const { objectKey } = source;
    if (!(await this.#takeFor(wish))) {
      await object.body.cancel();
      return this.#instead(wish);
    }
    const leavesMoving = hasProcessor(this.env);
    using answer = await this.#askCodec({ type, sizeBytes: object.size, variant, leavesMoving }, object.body);
    if (answer.outcome === "too-large" && hasProcessor(this.env)) {
      // A substitute is not worth an order. The next request for this exact variant may order it.
      if (!wish.isStandIn) await this.#order(picture, wish);
      return this.#instead(wish);
    }
    if (answer.outcome !== "made") {
      if (answer.outcome !== "busy")
        this.#noteImpossible(objectKey, answer.outcome === "failed" ? FAILED_MS : IMPOSSIBLE_MS);
      return this.#instead(wish);
    }
    const options = {
      httpMetadata: { contentType: answer.type },
      ...(answer.isFirstFrame ? { customMetadata: FIRST_FRAME } : {}),
    };
    if (!(await this.#put(source, answer.bytes, options))) return { outcome: "gone" };
    wish.names.add(objectKey);
    return { outcome: "stored" };
  }

  /** Stores an object, and records it, unless its file is gone. */
  async #put(
    place: Place,
    body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
    options: R2PutOptions,
  ): Promise<boolean> {
    const { FILES } = this.env;
    const { objectKey, fileKey } = place;
    const { size } = await FILES.put(objectKey, body, options);
    const { version, name } = toRecorded(place);
    await this.#record(place, (record) => record.note(version, name, size));
    // A deletion or takedown removes the file first and its variants afterwards, maybe before this variant was written and recorded.
    if (!(await this.#isGone(fileKey))) return true;
    await this.#forget(place);
    await FILES.delete(objectKey);
    return false;
  }

  #forget(place: Place): Promise<void> {
    const { version, name } = toRecorded(place);
    return this.#record(place, (record) => record.forget(version, [name]));
  }

  /** Changes the account's record of its variants. A variant is served without it, too: `reconcile` finds the difference. */
  async #record(
    { accountId }: Place,
    change: (record: DurableObjectStub<VariantBudget>) => Promise<void>,
  ): Promise<void> {
    try {
      await change(this.env.VARIANT_BUDGET.getByName(accountId));
    } catch (error) {
      console.error(toLogLine("variant.not-recorded", {}, error));
    }
  }

  async #isGone(fileKey: string): Promise<boolean> {
    const left = await this.env.FILES.head(fileKey);
    return left === null || isTakenDown(left);
  }

  /** The substitute for a variant: WebP for AVIF, else the nearest larger variant, else the file. */
  async #instead({ source, variant, payer, names, isStandIn }: Wish): Promise<MadeVariant> {
    const { objectKey, fileKey } = source;
    if (variant.format === "avif" && !isStandIn) {
      const standIn = { ...source, objectKey: objectKey.replace(/avif$/, "webp") };
      if (names.has(standIn.objectKey)) return { outcome: "instead", objectKey: standIn.objectKey };
      const made = await this.make(standIn, { ...variant, format: "webp" }, payer, true);
      return made.outcome === "stored" ? { outcome: "instead", objectKey: standIn.objectKey } : made;
    }
    const nearest = nearestVariant(names, objectKey);
    if (nearest === undefined && variant.frameMs !== undefined) return { outcome: "no-frame" };
    return { outcome: "instead", objectKey: nearest ?? fileKey };
  }

  /** A video's frame, which the media processor takes. @returns undefined if the frame cannot be had now */
  async #findFrame(
    { source, payer, names }: Wish,
    type: MediaType,
    posterMs: number,
  ): Promise<StoredPicture | undefined> {
    const { accountId, uploadId, fileKey } = source;
    const { path, visibility } = toPath(fileKey);
    const objectKey = visibleVariantsPrefix(accountId, versionOf(path), visibility) + posterName(posterMs);
    const order = { accountId, uploadId, fileKey, sourceKey: fileKey, mimeType: type, objectKey, make: { posterMs } };
    const isMade = names.has(objectKey) || (await this.#frameIsMade(order, payer, names));
    const object = isMade ? await this.env.FILES.get(objectKey) : null;
    return object === null ? undefined : { type: "image/jpeg", object };
  }

  async #frameIsMade(order: Omit<VariantOrdered, "type">, payer: Payer, names: Set<string>): Promise<boolean> {
    const { objectKey } = order;
    if (this.#isImpossible(objectKey) || !this.#hasRoom(names, objectKey)) return false;
    // The frame may be stored although its order is open: the maker could not check whether the file exists.
    if ((await this.env.FILES.head(objectKey)) !== null) {
      this.#orders.close(objectKey, true);
      names.add(objectKey);
      return true;
    }
    return (await this.#send(order, payer)) && (await this.#orders.wait(objectKey, this.frameTimeoutMs));
  }

  /** Orders a variant from the media processor. @returns whether it will be made */
  async #order({ type, object }: StoredPicture, { source, variant, payer }: Wish): Promise<boolean> {
    const { accountId, uploadId, fileKey, objectKey } = source;
    const sourceKey = object.key;
    const order = { accountId, uploadId, fileKey, sourceKey, mimeType: type, objectKey, make: variant };
    return this.#send(order, payer);
  }

  /** @returns whether the object is ordered */
  async #send(order: Omit<VariantOrdered, "type">, payer: Payer): Promise<boolean> {
    if (!hasProcessor(this.env)) return false;
    if (!this.#orders.open(order.objectKey)) return true;
    try {
      if (!(await this.#takeForOrder(order, payer))) {
        this.#orders.close(order.objectKey, false);
        return false;
      }
      await this.env.UPLOADS.send({ type: "variant.ordered", ...order });
      return true;
    } catch (error) {
      console.error(toLogLine("variant.not-ordered", {}, error));
      this.#orders.close(order.objectKey, false);
      return false;
    }
  }

  /** Takes a variant's price from the account's allowance. A variant is made if its budget does not answer. */
  async #takeFor({ source: { accountId }, payer }: Wish): Promise<boolean> {
    return this.env.VARIANT_BUDGET.getByName(accountId).take(payer.tier).catch(makeAnyway);
  }

  /** An order is limited by its address, too, because it costs several times as much as a variant of the codec. */
  async #takeForOrder({ accountId }: Pick<VariantOrdered, "accountId">, { address, tier }: Payer): Promise<boolean> {
    const { ORDERS_BY_ADDRESS, VARIANT_BUDGET } = this.env;
    if (!isLocal(address)) {
      const { success } = await ORDERS_BY_ADDRESS.limit({ key: address }).catch(() => ({ success: true }));
      if (!success) return false;
    }
    return VARIANT_BUDGET.getByName(accountId).takeOrder(tier).catch(makeAnyway);
  }

  /** A codec may run out of memory, which ends its isolate, or never answer. A late answer is dropped. */
  async #askCodec(task: VariantTask, file: ReadableStream<Uint8Array>) {
    const asking = this.env.CODECS.variant(task, file);
    const timer = new AbortController();
    try {
      const late = scheduler.wait(this.codecTimeoutMs, { signal: timer.signal });
      const answer = await Promise.race([asking, late]);
      if (answer !== undefined) return answer;
      asking.then((late) => late[Symbol.dispose]()).catch(() => undefined);
      return FAILED;
    } catch (error) {
      console.error(toLogLine("variant.codec-failed", {}, error));
      return FAILED;
    } finally {
      timer.abort();
    }
  }

  #stored({ accountId, fileKey }: Pick<VariantSource, "accountId" | "fileKey">): Promise<Set<string>> {
    this.#names ??= this.env.FILES.list({ prefix: variantsPrefix(accountId, versionOf(toPath(fileKey).path)) }).then(
      ({ objects }) => new Set(objects.map(({ key }) => key)),
    );
    const listing = this.#names;
    listing.catch((error: unknown) => {
      console.error(toLogLine("variants.not-listed", {}, error));
      this.#names = undefined;
    });
    return listing;
  }

  /** Whether the upload may have another variant besides its stored, unfinished and ordered variants. */
  #hasRoom(names: ReadonlySet<string>, objectKey: string): boolean {
    return new Set([...names, ...this.#inWork.keys(), ...this.#orders.keys(), objectKey]).size <= MAX_VARIANTS;
  }

  #isImpossible(objectKey: string): boolean {
    const triedAgainAt = this.#impossible.get(objectKey);
    return triedAgainAt !== undefined && Date.now() < triedAgainAt;
  }

  #noteImpossible(objectKey: string, forMs: number): void {
    this.#impossible.delete(objectKey);
    this.#impossible.set(objectKey, Date.now() + forMs);
    if (this.#impossible.size > MAX_VARIANTS)
      this.#impossible.delete(this.#impossible.keys().next().value ?? objectKey);
  }
}

/** The names under which the account's record has an object. */
function toRecorded({ accountId, fileKey, objectKey }: Place): { readonly version: string; readonly name: string } {
  const version = versionOf(toPath(fileKey).path);
  return { version, name: objectKey.slice(variantsPrefix(accountId, version).length) };
}

function makeAnyway(error: unknown): true {
  console.error(toLogLine("variant.not-taken", {}, error));
  return true;
}
