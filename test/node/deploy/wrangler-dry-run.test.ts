import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";
import { QUIET_ENV } from "../../../src/tools/local/quiet-env.ts";
import type { UploadMetadata } from "../../support/cloudflare-api/account-state.ts";

// `wrangler deploy --dry-run` of all three Workers from the tracked files: they bundle, within their sizes, with their bindings.

const WORKERS = [
  // The limit includes the decoders of previews: MozJPEG's 62 KB and the PNG decoder's 83 KB.
  { config: "src/codecs/wrangler.toml", maxGzipKb: 450 },
  // The limit includes the parameters, presets, signatures, the maker and the record of variants, and the style of the page of an error.
  { config: "src/cdn/wrangler.toml", maxGzipKb: 34.5 },
  // The free plan's limit is 3 MB, the paid plan's 10 MB.
  { config: "wrangler.toml", maxGzipKb: 1024 },
] as const;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dry-run-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function dryRun(config: string): Promise<{ output: string; metadata: UploadMetadata }> {
  const bin = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
  const form = join(folder, config.replaceAll("/", "-"));
  const args = ["deploy", "--dry-run", "--containers-rollout", "none", "-c", config, "--outfile", form];
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], {
    // Another test file of this worker may have lowered wrangler's log level.
    env: { ...QUIET_ENV, WRANGLER_LOG: "log", NO_COLOR: "1" },
  });
  const body = await readFile(form);
  const boundary = body.subarray(2, body.indexOf("\r\n")).toString();
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  const parts = await new Response(body, { headers }).formData();
  return { output: stdout, metadata: JSON.parse(String(parts.get("metadata"))) as UploadMetadata };
}

/** Names of a configuration's bindings, without secrets: a dry run has none. */
function boundNames(raw: Unstable_RawConfig): string[] {
  const { d1_databases, r2_buckets, services, queues, durable_objects, vars, assets, version_metadata, ratelimits } =
    raw;
  return [
    ...[...(d1_databases ?? []), ...(r2_buckets ?? []), ...(services ?? []), ...(queues?.producers ?? [])].map(
      ({ binding }) => binding,
    ),
    ...[...(durable_objects?.bindings ?? []), ...(ratelimits ?? [])].map(({ name }) => name),
    ...Object.keys(vars ?? {}),
    ...[assets?.binding, version_metadata?.binding].flatMap((name) => name ?? []),
  ].sort();
}

describe.each(WORKERS)("$config", ({ config, maxGzipKb }) => {
  it("`wrangler deploy --dry-run` bundles the Worker within its size, with all bindings and settings", async () => {
    const { rawConfig } = experimental_readRawConfig({ config });
    const { output, metadata } = await dryRun(config);
    const gzipKb = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);
    expect(gzipKb).toBeGreaterThan(1);
    expect(gzipKb).toBeLessThan(maxGzipKb);
    const required = rawConfig.secrets?.required ?? [];
    const names = metadata.bindings.map(({ name }) => name).filter((name) => !required.includes(name));
    expect(names.sort()).toEqual(boundNames(rawConfig));
    expect(metadata.limits).toEqual(rawConfig.limits);
    expect(metadata.observability).toEqual(rawConfig.observability);
    expect(rawConfig).toMatchObject({ preview_urls: false, upload_source_maps: true });
  });
});
