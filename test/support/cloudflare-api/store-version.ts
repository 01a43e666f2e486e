import { randomUUID } from "node:crypto";
import type { Asset, Binding, CloudflareAccount, Module, Script, UploadMetadata, Version } from "./account-state.ts";
import { REFUSALS } from "./answer.ts";
import { takeAssets } from "./asset-routes.ts";
import type { Call } from "./router.ts";

/**
 * Stores the upload of a Worker. It refuses the same uploads as the platform: bindings to missing resources, secrets that were never set,
 * classes that no migration created.
 */
export async function storeVersion(
  account: CloudflareAccount,
  name: string,
  call: Call,
): Promise<{ script: Script; version: Version }> {
  const { metadata, modules } = await readUpload(call);
  const script = account.scripts.get(name) ?? newScript(name);
  const classes = migrate(script, metadata);
  const bindings = resolveBindings(script, metadata);
  for (const binding of bindings.values()) requireTarget(account, name, classes, binding);
  const assets: ReadonlyMap<string, Asset> =
    metadata.assets === undefined ? new Map() : takeAssets(account, metadata.assets.jwt);

  const version: Version = { id: randomUUID(), metadata, bindings, modules, assets };
  script.versions.set(version.id, version);
  for (const [className, facts] of classes) script.classes.set(className, facts);
  if (metadata.migrations !== undefined) script.migrationTag = metadata.migrations.new_tag;
  account.scripts.set(name, script);
  return { script, version };
}

function newScript(name: string): Script {
  return {
    name,
    versions: new Map(),
    deployed: "",
    migrationTag: undefined,
    classes: new Map(),
    isOnWorkersDev: false,
    settings: {},
  };
}

async function readUpload({ body, type }: Call): Promise<{ metadata: UploadMetadata; modules: Module[] }> {
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
  const metadata = JSON.parse(String(form.get("metadata"))) as UploadMetadata;
  const files = [...form].filter((entry): entry is [string, File] => typeof entry[1] !== "string");
  const modules = await Promise.all(
    files.map(async ([name, file]) => ({ name, type: file.type, contents: new Uint8Array(await file.arrayBuffer()) })),
  );
  return { metadata, modules };
}

/** @returns the classes of the script after its migrations */
function migrate(script: Script, { migrations, containers = [] }: UploadMetadata): Script["classes"] {
  const classes = new Map(script.classes);
  if (migrations === undefined) return classes;
  if (migrations.old_tag !== script.migrationTag) throw REFUSALS.migrationTag(migrations.old_tag, script.migrationTag);
  for (const { new_sqlite_classes: added = [] } of migrations.steps) {
    for (const name of added) {
      // A class becomes a Container's class only when it is created.
      classes.set(name, { isContainer: containers.some(({ class_name: container }) => container === name) });
    }
  }
  return classes;
}

function resolveBindings(script: Script, { bindings, keep_bindings: kept = [] }: UploadMetadata): Map<string, Binding> {
  const before = script.versions.get(script.deployed)?.bindings ?? new Map<string, Binding>();
  const resolved = new Map([...before].filter(([, { type }]) => kept.includes(type)));
  for (const binding of bindings) {
    if (binding.type !== "inherit") {
      resolved.set(binding.name, binding);
      continue;
    }
    const inherited = before.get(binding.name);
    if (inherited === undefined) throw REFUSALS.missingSecret(binding.name);
    resolved.set(binding.name, inherited);
  }
  return resolved;
}

function requireTarget(account: CloudflareAccount, script: string, classes: Script["classes"], binding: Binding): void {
  const { name, type } = binding;
  const text = (field: string) => String(binding[field]);
  switch (type) {
    case "d1":
      if ([...account.databases.values()].includes(text("id"))) return;
      throw REFUSALS.invalidUpload(`binding ${name} of type d1 must have a valid \`id\` specified`);
    case "r2_bucket":
      if (account.buckets.has(text("bucket_name"))) return;
      throw REFUSALS.invalidUpload(`R2 bucket '${text("bucket_name")}' not found`);
    case "queue":
      if (account.queues.has(text("queue_name"))) return;
      throw REFUSALS.invalidUpload(`Queue '${text("queue_name")}' not found`);
    case "service":
      if (account.scripts.has(text("service"))) return;
      throw REFUSALS.noTarget(name, text("service"));
    case "durable_object_namespace": {
      const owner = binding.script_name === undefined ? script : text("script_name");
      const known = owner === script ? classes : account.scripts.get(owner)?.classes;
      if (known?.has(text("class_name"))) return;
      throw REFUSALS.noClass(text("class_name"));
    }
    default:
      // Text, JSON, assets and the version have no further conditions.
      return;
  }
}
