import type { CloudflareAccount, Script, Version } from "./account-state.ts";
import { ok, REFUSALS } from "./answer.ts";
import { namespaceId } from "./container-routes.ts";
import { json, type Params, type Routes } from "./router.ts";
import { storeVersion } from "./store-version.ts";

/** Workers of an account: uploads, versions, deployments, secrets and addresses. */
export const WORKER_ROUTES: Routes = {
  "GET /workers/services/:name": (_, { name = "" }, account) => {
    const script = account.scripts.get(name);
    if (script === undefined) throw REFUSALS.noService();
    const facts = {
      id: name,
      tag: tagOf(name),
      tags: [],
      last_deployed_from: "wrangler",
      migration_tag: script.migrationTag,
    };
    return ok({ id: name, default_environment: { environment: "production", script: facts } });
  },
  "GET /workers/scripts": (_, __, account) =>
    ok(
      [...account.scripts.values()].map(({ name, migrationTag }) => ({
        id: name,
        tag: tagOf(name),
        migration_tag: migrationTag,
      })),
    ),
  "PUT /workers/scripts/:name": async (call, { name = "" }, account) => {
    const { script, version } = await storeVersion(account, name, call);
    script.deployed = version.id;
    return ok({ id: name, etag: version.id, deployment_id: version.id.replaceAll("-", ""), startup_time_ms: 7 });
  },
  "POST /workers/scripts/:name/versions": async (call, params, account) => {
    const { version } = await storeVersion(account, getScript(account, params).name, call);
    return ok({ id: version.id, resources: { script: { etag: version.id } }, startup_time_ms: 7 });
  },
  "GET /workers/scripts/:name/versions/:version": (_, params, account) =>
    ok(toVersionBody(params, getVersion(account, params))),
  "GET /workers/scripts/:name/deployments": (_, params, account) => {
    const versions = [{ version_id: getScript(account, params).deployed, percentage: 100 }];
    return ok({ deployments: [{ id: versions[0]?.version_id, strategy: "percentage", versions }] });
  },
  "POST /workers/scripts/:name/deployments": (call, params, account) => {
    const script = getScript(account, params);
    const { versions } = json<{ versions: { version_id: string; percentage: number }[] }>(call);
    const [first] = versions;
    if (first === undefined || first.percentage !== 100 || !script.versions.has(first.version_id)) {
      throw REFUSALS.invalidUpload("a deployment needs a version of this Worker");
    }
    script.deployed = first.version_id;
    return ok({ id: first.version_id });
  },
  "PATCH /workers/scripts/:name/script-settings": (call, params, account) => {
    const script = getScript(account, params);
    script.settings = { ...script.settings, ...json<Record<string, unknown>>(call) };
    return ok(script.settings);
  },
  "GET /workers/scripts/:name/settings": (_, params, account) => {
    const { bindings } = account.deployedVersion(getScript(account, params).name);
    return ok({ bindings: [...bindings.values()].map(withoutValue) });
  },
  "GET /workers/scripts/:name/secrets": (_, params, account) => {
    const { bindings } = account.deployedVersion(getScript(account, params).name);
    return ok([...bindings.values()].filter(({ type }) => type === "secret_text").map(withoutValue));
  },
  "GET /workers/workers/:name": (_, params, account) => {
    const { name, isOnWorkersDev } = getScript(account, params);
    return ok({ id: tagOf(name), name, subdomain: { enabled: isOnWorkersDev, previews_enabled: false } });
  },
  "POST /workers/scripts/:name/subdomain": (call, params, account) => {
    const { enabled, previews_enabled } = json<{ enabled: boolean; previews_enabled: boolean }>(call);
    getScript(account, params).isOnWorkersDev = enabled;
    return ok({ enabled, previews_enabled });
  },
  "PUT /workers/scripts/:name/schedules": (call, params, account) => {
    const schedules = json<{ cron: string }[]>(call);
    getScript(account, params).schedules = schedules.map(({ cron }) => cron);
    return ok({ schedules });
  },
  "GET /workers/domains": ({ query }, _, account) =>
    ok(
      [...account.domains]
        .filter(([hostname]) => !query.has("hostname") || hostname === query.get("hostname"))
        .map(([hostname, service]) => ({ id: hostname, hostname, service, environment: "production" })),
    ),
  "DELETE /workers/domains/:id": (call, { id = "" }, account) => {
    if (!account.domains.delete(id)) throw REFUSALS.noRoute(call.path);
    account.dnsRecords.delete(id);
    return ok(null);
  },
  "POST /workers/scripts/:name/domains/changeset": (call, params, account) => {
    const { name } = getScript(account, params);
    const wanted = json<{ hostname: string }[]>(call);
    const added = wanted.filter(({ hostname }) => account.domains.get(hostname) !== name);
    return ok({ added, removed: [], updated: [], conflicting: [] });
  },
  "PUT /workers/scripts/:name/domains/records": (call, params, account) => {
    const { name } = getScript(account, params);
    const { origins } = json<{ origins: { hostname: string }[] }>(call);
    for (const [hostname, service] of account.domains) if (service === name) account.domains.delete(hostname);
    for (const { hostname } of origins) {
      account.domains.set(hostname, name);
      // The record that the platform creates for the domain. It overwrites existing records, because wrangler requests that.
      account.dnsRecords.set(hostname, ["AAAA"]);
    }
    return ok(origins);
  },
};

function getScript(account: CloudflareAccount, { name = "" }: Params): Script {
  const script = account.scripts.get(name);
  if (script === undefined) throw REFUSALS.noWorker();
  return script;
}

function getVersion(account: CloudflareAccount, params: Params): Version {
  const version = getScript(account, params).versions.get(params.version ?? "");
  if (version === undefined) throw REFUSALS.noWorker();
  return version;
}

function toVersionBody({ name: script = "" }: Params, { id, metadata, bindings }: Version) {
  return {
    id,
    metadata: { created_on: "2026-11-22T00:00:00Z" },
    resources: {
      script: { etag: id },
      script_runtime: { ...(metadata.containers === undefined ? {} : { containers: metadata.containers }) },
      bindings: [...bindings.values()].map((binding) =>
        binding.type === "durable_object_namespace"
          ? { ...binding, namespace_id: namespaceId(script, String(binding.class_name)) }
          : withoutValue(binding),
      ),
    },
  };
}

/** The value of a secret is never returned. */
function withoutValue(binding: { type: string; name: string; [field: string]: unknown }) {
  const { text, ...rest } = binding;
  return binding.type === "secret_text" ? rest : { ...rest, text };
}

function tagOf(name: string): string {
  return `tag-${name}`;
}
