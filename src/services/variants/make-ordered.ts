import { isMediaType, type MediaType } from "../../domain/media-types.ts";
import { toPath } from "../../domain/object-key.ts";
import { signPreview } from "../../domain/preview-token.ts";
import type { SecretPair } from "../../domain/secret-pair.ts";
import { isTakenDown } from "../../domain/takedown.ts";
import type { Variant } from "../../domain/variants/variant.ts";
import type { MadeObject, VariantKeeper, VariantOrdered } from "../../domain/variants/variant-order.ts";
import type { Services } from "../context.ts";

/** Longer than the processor needs, including queueing. */
const SOURCE_VALID_SECONDS = 600;

export interface OrderContext extends Pick<Services, "files" | "processor" | "now"> {
  readonly previewSecret: SecretPair;
  /** The maker of an upload's variants. */
  keeperOf(fileKey: string): VariantKeeper;
}

type Made = MadeObject & { readonly body: ReadableStream<Uint8Array> };

/**
 * Makes an object that an upload's maker has ordered (VAR-11), and sends it to the maker, which stores it. Every step can be repeated: a
 * crash leaves at most a stored object, and the next delivery deletes it if the file is gone.
 * @throws Error if a retry may succeed
 */
export async function makeOrdered(context: OrderContext, order: VariantOrdered): Promise<void> {
  const { files, keeperOf } = context;
  const keeper = keeperOf(order.fileKey);
  const file = await files.head(order.fileKey);
  if (file === null || isTakenDown(file)) {
    await files.delete(order.objectKey);
    return keeper.decline(order);
  }
  if ((await files.head(order.objectKey)) !== null) return;
  const { make } = order;
  const made =
    "posterMs" in make ? await makePoster(context, order, make.posterMs) : await makeVariant(context, order, make);
  if (made === undefined) return keeper.decline(order);
  const { body, ...description } = made;
  await keeper.keep(order, description, body);
}

async function makePoster(
  { processor, previewSecret, now }: OrderContext,
  { sourceKey, mimeType: type }: VariantOrdered,
  posterMs: number,
): Promise<Made | undefined> {
  const { path: objectKey } = toPath(sourceKey);
  const token = await signPreview(previewSecret.current, objectKey, Math.ceil(now() / 1000) + SOURCE_VALID_SECONDS);
  const poster = await processor.poster({ objectKey, token, type }, posterMs / 1000);
  if (poster?.outcome !== "made") return undefined;
  const { jpeg } = poster;
  const body = new Response(jpeg).body as Made["body"];
  return { contentType: "image/jpeg", sizeBytes: jpeg.length, isFirstFrame: false, body };
}

async function makeVariant(
  { processor, files }: OrderContext,
  { sourceKey, mimeType }: VariantOrdered,
  variant: Variant,
): Promise<Made | undefined> {
  const found = await files.get(sourceKey);
  if (found === null || !isMediaType(mimeType)) return undefined;
  const type: MediaType = mimeType;
  let first: ReadableStream<Uint8Array> | undefined = found.body;
  const open = async () => {
    const body = first ?? (await files.get(sourceKey))?.body;
    first = undefined;
    if (body === undefined) throw new Error("The picture was deleted");
    return body;
  };
  return processor.variant({ type, sizeBytes: found.size, open }, variant);
}
