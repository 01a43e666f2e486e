import { WorkerEntrypoint } from "cloudflare:workers";
import { CompressionRoom } from "./compression-room.ts";
import { makePlaceholder, type PlaceholderAnswer, type PlaceholderTask } from "./make-placeholder.ts";
import { makePreview, type PreviewAnswer, type PreviewTask } from "./make-preview.ts";
import { makeVariant, type VariantAnswer, type VariantTask } from "./make-variant.ts";

export type { VariantTask };

/** This folder's wrangler.toml has no bindings. */
type CodecEnv = Record<string, never>;

/**
 * The Codec Worker's entry point. A request opens one session for all its images, because the platform allows a request 32 invocations of
 * other Workers, and an upload may have 50 images.
 */
export class Codecs extends WorkerEntrypoint<CodecEnv> {
  open(): CompressionRoom {
    return new CompressionRoom();
  }

  /** Makes one image's preview. @param image its bytes; only the needed ones are read */
  preview(task: PreviewTask, image: ReadableStream<Uint8Array>): Promise<PreviewAnswer> {
    return makePreview(task, image);
  }

  /** Makes one image's placeholder. @param image its bytes; only the needed ones are read */
  placeholder(task: PlaceholderTask, image: ReadableStream<Uint8Array>): Promise<PlaceholderAnswer> {
    return makePlaceholder(task, image);
  }

  /** Makes a variant of one image. @param image its bytes; only the needed ones are read */
  variant(task: VariantTask, image: ReadableStream<Uint8Array>): Promise<VariantAnswer> {
    return makeVariant(task, image);
  }
}

/** Some tools reject a Worker without a default export. No route leads here. */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<CodecEnv>;
