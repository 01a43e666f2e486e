import { availableParallelism } from "node:os";
import { parseOrigins } from "./source-policy.ts";

const MIB = 1024 * 1024;

/** Settings from the environment. Every limit has a default that suits a container of 4 GiB. */
export interface Config {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The only origins that sources are fetched from. */
  sourceOrigins: ReadonlySet<string>;
  maxThumbnails: number;
  maxCompressions: number;
  maxPreviews: number;
  maxVariants: number;
  /** Requests of one kind that may wait for their turn. The next one is answered 503. */
  maxWaiting: number;
  /** Finished images that may wait until their clients read them. The next one is answered 503. */
  maxAnswers: number;
  /** The time that a client may take to read a finished image. */
  answerTimeoutSeconds: number;
  thumbnailTimeoutSeconds: number;
  /**
   * A timeout is the video's fault if ffmpeg used at least this percentage of the time as CPU time, because a retry would need as much. The
   * Container has half a processor, so 40 is most of its share.
   */
  slowVideoPercent: number;
  compressTimeoutSeconds: number;
  previewTimeoutSeconds: number;
  variantTimeoutSeconds: number;
  /** Writable memory of one child process. */
  childMemoryBytes: number;
  /** The most bytes that one thumbnail may fetch from its source. */
  maxSourceBytes: number;
  maxImageBytes: number;
  maxImagePixels: number;
  /** The most pixels of one decoded video frame: 8K fits. */
  maxFramePixels: number;
}

/** @throws Error naming the variable that is not a positive whole number or not a list of origins */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const limit = (name: string, fallback: number): number => {
    const value = Number(env[name] || fallback);
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a positive whole number`);
    return value;
  };
  return {
    host: env.HOST || "127.0.0.1",
    port: env.PORT === undefined || env.PORT === "0" ? 0 : limit("PORT", 0),
    sourceOrigins: parseOrigins(env.SOURCE_ORIGINS ?? ""),
    maxThumbnails: limit("MAX_CONCURRENCY", availableParallelism()),
    maxCompressions: limit("MAX_COMPRESSIONS", 1),
    maxPreviews: limit("MAX_PREVIEWS", 1),
    maxVariants: limit("MAX_VARIANTS", 1),
    maxWaiting: limit("MAX_WAITING", 32),
    maxAnswers: limit("MAX_ANSWERS", 16),
    answerTimeoutSeconds: limit("ANSWER_TIMEOUT_SECONDS", 60),
    thumbnailTimeoutSeconds: limit("THUMBNAIL_TIMEOUT_SECONDS", 20),
    slowVideoPercent: limit("SLOW_VIDEO_PERCENT", 40),
    compressTimeoutSeconds: limit("COMPRESS_TIMEOUT_SECONDS", 60),
    previewTimeoutSeconds: limit("PREVIEW_TIMEOUT_SECONDS", 20),
    variantTimeoutSeconds: limit("VARIANT_TIMEOUT_SECONDS", 40),
    childMemoryBytes: limit("CHILD_MEMORY_BYTES", 1536 * MIB),
    maxSourceBytes: limit("MAX_SOURCE_BYTES", 64 * MIB),
    maxImageBytes: limit("MAX_IMAGE_BYTES", 64 * MIB),
    maxImagePixels: limit("MAX_IMAGE_PIXELS", 100_000_000),
    maxFramePixels: limit("MAX_FRAME_PIXELS", 8192 * 4320),
  };
}
