import { randomUUID } from "node:crypto";

/** The parts of a Cloudflare account that a deployment uses. */

export interface Binding {
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The `metadata` part of an upload, as wrangler sends it. */
export interface UploadMetadata {
  readonly main_module: string;
  readonly bindings: readonly Binding[];
  readonly compatibility_date: string;
  readonly compatibility_flags?: readonly string[];
  readonly keep_bindings?: readonly string[];
  readonly containers?: readonly { readonly class_name: string }[];
  readonly migrations?: {
    readonly old_tag?: string;
    readonly new_tag: string;
    readonly steps: readonly { readonly new_sqlite_classes?: readonly string[] }[];
  };
  readonly assets?: { readonly jwt: string; readonly config?: unknown };
  readonly limits?: { readonly cpu_ms?: number };
  readonly placement?: { readonly mode?: string };
  readonly observability?: { readonly enabled?: boolean; readonly head_sampling_rate?: number };
  readonly code_update_strategy?: unknown;
}

export interface Module {
  readonly name: string;
  readonly type: string;
  readonly contents: Uint8Array<ArrayBuffer>;
}

export interface Version {
  readonly id: string;
  readonly metadata: UploadMetadata;
  /** Bindings by name, with secrets and inherited ones. */
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly modules: readonly Module[];
  /** Assets by path. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export interface Asset {
  readonly type: string;
  readonly contents: Uint8Array<ArrayBuffer>;
}

export interface Script {
  readonly name: string;
  readonly versions: Map<string, Version>;
  /** The version that gets all requests. */
  deployed: string;
  migrationTag: string | undefined;
  /** Durable Object classes, and whether each was created as a Container's class. */
  readonly classes: Map<string, { readonly isContainer: boolean }>;
  /** Cron expressions. */
  schedules?: readonly string[];
  isOnWorkersDev: boolean;
  /** Settings that are not part of a version. */
  settings: Record<string, unknown>;
}

export interface Consumer {
  readonly consumer_id: string;
  readonly script: string;
  readonly dead_letter_queue?: string;
  readonly settings: Readonly<Record<string, number | undefined>>;
}

export interface Queue {
  readonly id: string;
  readonly name: string;
  readonly consumers: Consumer[];
}

/** The application of a Container. */
export interface Application {
  readonly id: string;
  readonly name: string;
  readonly durable_objects: { readonly namespace_id: string };
  readonly configuration: { readonly image: string };
}

/** A policy of Cloudflare's notifications. */
export interface NotificationPolicy {
  readonly id: string;
  readonly name: string;
  readonly alert_type: string;
  readonly enabled: boolean;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly mechanisms: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

export class CloudflareAccount {
  readonly id: string;
  readonly name: string;
  /** Ids by name. */
  readonly databases = new Map<string, string>();
  readonly buckets = new Set<string>();
  /** The place with which each database and bucket was created. */
  readonly places = new Map<string, { readonly hint: string | undefined; readonly jurisdiction: string | undefined }>();
  readonly queues = new Map<string, Queue>();
  readonly scripts = new Map<string, Script>();
  /** Applications of Containers. */
  readonly applications: Application[] = [];
  readonly policies: NotificationPolicy[] = [];
  /** Products for which the account may have usage notifications; undefined if it may have none. */
  notifiedProducts: readonly string[] | undefined = ["argo_bytes", "worker_requests"];
  subdomain: string | undefined;
  /** Ids by name. */
  readonly zones = new Map<string, string>();
  /** Types of records by host name. */
  readonly dnsRecords = new Map<string, string[]>();
  /** Scripts by host name. */
  readonly domains = new Map<string, string>();

  constructor(id: string, name: string) {
    this.id = id;
    this.name = name;
  }

  addDatabase(name: string): string {
    const id = randomUUID();
    this.databases.set(name, id);
    return id;
  }

  addZone(name: string): void {
    this.zones.set(name, randomUUID().replaceAll("-", ""));
  }

  /** The deployed version of a script. @throws Error if there is none */
  deployedVersion(name: string): Version {
    const script = this.scripts.get(name);
    const version = script?.versions.get(script.deployed);
    if (version === undefined) throw new Error(`${name} is not deployed`);
    return version;
  }
}
