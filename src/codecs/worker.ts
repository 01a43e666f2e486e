import { WorkerEntrypoint } from "cloudflare:workers";
import { CompressionRoom } from "./compression-room.ts";
import { makePreview, type PreviewAnswer, type PreviewTask } from "./preview/make-preview.ts";

/** What wrangler.toml beside this file binds: nothing. */
type CodecEnv = Record<string, never>;

/**
 * The door of the Codec Worker. A request opens it once and has all of its images compressed in that one session, as the
 * platform allows a request 32 invocations of other Workers and an upload may bring 50 images.
 */
export class Codecs extends WorkerEntrypoint<CodecEnv> {
  open(): CompressionRoom {
    return new CompressionRoom();
  }

  /** One image's preview. @param image its bytes, of which no more are read than are needed */
  preview(task: PreviewTask, image: ReadableStream<Uint8Array>): Promise<PreviewAnswer> {
    return makePreview(task, image);
  }
}

/** A Worker without a default export is not accepted everywhere; nothing routes requests here. */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler<CodecEnv>;
