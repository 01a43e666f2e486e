import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { compress, readCompressRequest } from "./compress.ts";
import { readConfig } from "./config.ts";
import { Limiter } from "./limiter.ts";
import { preview, readPreviewRequest } from "./preview.ts";
import { Refusal } from "./refusal.ts";
import { sendFailure, sendJson } from "./send.ts";
import { RangeProxy } from "./thumbnail/range-proxy.ts";
import { findFfmpeg, readThumbnailRequest, thumbnail } from "./thumbnail/thumbnail.ts";
import { answerVariant, readVariantTask } from "./variant.ts";

const PATHS = ["/health", "/compress", "/preview", "/variant", "/thumbnail"];
const TIMEOUT_MS = 10_000;
const FIRST_LINE = /^ffmpeg version (\S{1,100})/;

/** The version that ffmpeg reports, for example `7.1.2-0+deb13u1`; undefined if it cannot be run. */
function readFfmpegVersion(ffmpeg: string | undefined): Promise<string | undefined> {
  if (ffmpeg === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    execFile(ffmpeg, ["-version"], { timeout: TIMEOUT_MS, killSignal: "SIGKILL" }, (_error, stdout) =>
      resolve(FIRST_LINE.exec(stdout)?.[1]),
    );
  });
}

const REQUEST_TIMEOUT_MS = 120_000;
/** The platform sends SIGKILL 15 minutes after SIGTERM (Cloudflare Containers, "Rollouts"). */
const DRAIN_TIMEOUT_MS = 14 * 60_000;
const SHUTDOWN_TIMEOUT_MS = 1500;
const RETRY_AFTER_SECONDS = 5;

const config = readConfig(process.env);
const thumbnails = new Limiter(config.maxThumbnails, config.maxWaiting);
const compressions = new Limiter(config.maxCompressions, config.maxWaiting);
const previews = new Limiter(config.maxPreviews, config.maxWaiting);
const variants = new Limiter(config.maxVariants, config.maxWaiting);
const answers = new Limiter(config.maxAnswers, 0);
/** Read once, when it is first asked for. */
let ffmpegVersion: Promise<string | undefined> | undefined;
const proxy = await RangeProxy.start();
/** Aborts the running jobs. */
const shutdown = new AbortController();
/** Requests in progress. */
let answering = 0;
let isDraining = false;

async function route(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
  // A web page must not drive a process on loopback. Browsers identify themselves with these headers.
  if (request.headers.origin !== undefined || request.headers["sec-fetch-site"] !== undefined) {
    throw new Refusal(403, "not for browsers");
  }
  const url = URL.parse(request.url ?? "/", "http://processor");
  if (url === null) throw new Refusal(400, "malformed path");
  const { pathname, searchParams } = url;
  // The Worker then calls another instance. It could not do that if this instance just closed the connection.
  if (isDraining) throw new Refusal(503, "shutting down", RETRY_AFTER_SECONDS);
  switch (`${request.method} ${pathname}`) {
    case "GET /health":
      ffmpegVersion ??= readFfmpegVersion(findFfmpeg(process.env));
      return sendJson(response, 200, {
        status: "ok",
        ffmpeg: await ffmpegVersion,
        thumbnails: thumbnails.load,
        compressions: compressions.load,
        previews: previews.load,
        variants: variants.load,
      });
    case "POST /compress": {
      const task = readCompressRequest(searchParams);
      return compress(task, { request, response, signal }, { working: compressions, sending: answers }, config);
    }
    case "POST /preview": {
      const task = readPreviewRequest(searchParams);
      return preview(task, { request, response, signal }, { working: previews, sending: answers }, config);
    }
    case "POST /variant": {
      const task = readVariantTask(searchParams);
      return answerVariant(task, { request, response, signal }, { working: variants, sending: answers }, config);
    }
    case "POST /thumbnail": {
      const task = await readThumbnailRequest(request, config.sourceOrigins);
      return thumbnails.run(signal, () => thumbnail(task, { response, signal, proxy }, config));
    }
    default:
      if (PATHS.includes(pathname)) throw new Refusal(405, "wrong method");
      throw new Refusal(404, "not found");
  }
}

const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, async (request, response) => {
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const signal = AbortSignal.any([disconnected.signal, shutdown.signal]);
  answering++;
  try {
    await route(request, response, signal);
  } catch (error) {
    if (!signal.aborted) sendFailure(request, response, error);
    else response.destroy();
  } finally {
    answering--;
    if (isDraining && answering === 0) close();
  }
});

server.listen(config.port, config.host, () => {
  console.log(JSON.stringify({ listening: (server.address() as AddressInfo).port }));
});

/** SIGTERM: the running jobs finish, new ones are refused, then the process ends. */
function drain(): void {
  if (isDraining) {
    stop();
    return;
  }
  isDraining = true;
  setTimeout(stop, DRAIN_TIMEOUT_MS).unref();
  if (answering === 0) close();
}

/** Ends the running jobs, their children and temporary files, and soon after them the process. */
function stop(): void {
  shutdown.abort();
  server.closeAllConnections();
  close();
}

/** Ends the process once clients have read their answers. The timer ends it if a connection hangs. */
function close(): void {
  proxy.stop();
  server.close(() => process.exit(0));
  setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS).unref();
}

process.on("SIGTERM", drain);
process.once("SIGINT", stop);
