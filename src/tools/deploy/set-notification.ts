import { CloudflareError, type CloudflareRequest } from "./cloudflare-api.ts";
import type { Deployment } from "./deployment.ts";
import { PERMISSIONS } from "./permissions.ts";

const ALERT_TYPE = "billing_usage_alert";
const PRODUCT = "worker_requests";

/**
 * Requests in a billing period. The plan includes 10 million; 20 million views more cost $18 (docs/operating/costs.md). One address
 * can cause about as much in a month.
 */
export const MAX_WORKER_REQUESTS = 30_000_000;

/** The fields of a notification policy that are written back when its address changes. */
interface Policy {
  readonly id: string;
  readonly name: string;
  readonly alert_type: string;
  readonly enabled: boolean;
  readonly description?: string;
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  readonly mechanisms?: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

interface AlertKind {
  readonly type: string;
  readonly filter_options?: readonly {
    readonly Key: string;
    readonly AvailableValues?: readonly { ID: string }[] | null;
  }[];
}

type NotificationRun = Pick<Deployment, "api" | "accountId" | "options" | "progress" | "notify">;

/**
 * Brings the account's notification about Worker requests up to date, or removes it after `--notify none`. It never fails a deployment:
 * a missing permission, a plan without notifications and a failure of the API are one line.
 */
export async function setNotification(run: NotificationRun): Promise<void> {
  const { notify, options, progress } = run;
  try {
    if (typeof notify === "string") await notifyAddress(run, notify);
    else if (options.notify === null) await removePolicy(run);
    else if (notify === undefined) progress.note("no one is notified of high usage: --notify EMAIL");
  } catch (error) {
    progress.note(`the usage notification was not changed; the service works: ${reasonOf(error)}`);
  }
}

async function notifyAddress(run: NotificationRun, address: string): Promise<void> {
  const { api, accountId, progress } = run;
  const found = await findPolicy(run);
  const path = `/accounts/${accountId}/alerting/v3/policies`;
  if (found === undefined) {
    if (!(await isOffered(run))) {
      progress.note("the usage notification was not set: Cloudflare does not offer it to this account");
      return;
    }
    const body = toBody({ ...freshPolicy(run), mechanisms: { email: [{ id: address }] } });
    await progress.change("set the usage notification", () => api.call(path, { ...PERMITTED, method: "POST", body }));
    return;
  }
  if (found.mechanisms?.email?.some(({ id }) => id === address)) {
    progress.note(`the usage notification is there${found.enabled ? "" : ", and switched off in Cloudflare"}`);
    return;
  }
  const body = toBody({ ...found, mechanisms: { ...found.mechanisms, email: [{ id: address }] } });
  const request: CloudflareRequest = { ...PERMITTED, method: "PUT", body };
  await progress.change("update the usage notification", () => api.call(`${path}/${found.id}`, request));
}

async function removePolicy(run: NotificationRun): Promise<void> {
  const { api, accountId, progress } = run;
  const found = await findPolicy(run);
  if (found === undefined) {
    progress.note("there is no usage notification");
    return;
  }
  const path = `/accounts/${accountId}/alerting/v3/policies/${found.id}`;
  await progress.change("remove the usage notification", () => api.call(path, { ...PERMITTED, method: "DELETE" }));
}

const PERMITTED: CloudflareRequest = { permission: "notifications" };

/** The installation's policy, by its name. Cloudflare lists all policies at once. */
async function findPolicy({ api, accountId, options }: NotificationRun): Promise<Policy | undefined> {
  const all = await api.call<readonly Policy[] | null>(`/accounts/${accountId}/alerting/v3/policies`, PERMITTED);
  return all?.find(({ name, alert_type: type }) => name === policyName(options.name) && type === ALERT_TYPE);
}

/** Whether the account may have this notification. Cloudflare lists kinds by category, with the products of each kind. */
async function isOffered({ api, accountId }: NotificationRun): Promise<boolean> {
  const path = `/accounts/${accountId}/alerting/v3/available_alerts`;
  const categories = await api.call<Readonly<Record<string, readonly AlertKind[]>> | null>(path, PERMITTED);
  const kinds = Object.values(categories ?? {}).flat();
  const kind = kinds.find(({ type }) => type === ALERT_TYPE);
  const products = kind?.filter_options?.find(({ Key }) => Key.toLowerCase() === "product")?.AvailableValues;
  return kind !== undefined && (!products?.length || products.some(({ ID }) => ID === PRODUCT));
}

function policyName(installation: string): string {
  return `${installation}: Worker requests`;
}

function freshPolicy({ options }: NotificationRun): Omit<Policy, "id" | "mechanisms"> {
  return {
    name: policyName(options.name),
    alert_type: ALERT_TYPE,
    enabled: true,
    description: "Set by npm run deploy. It counts the requests of all Workers of the account.",
    filters: { product: [PRODUCT], limit: [String(MAX_WORKER_REQUESTS)] },
  };
}

/** The limit and the other settings that were changed in Cloudflare stay. */
function toBody({ name, alert_type, enabled, description, filters, mechanisms }: Omit<Policy, "id">) {
  return { name, alert_type, enabled, description, filters, mechanisms };
}

function reasonOf(error: unknown): string {
  const [reason = ""] = (error as Error).message.split("\n");
  const isUnauthorised = error instanceof CloudflareError && error.isUnauthorised;
  return isUnauthorised ? `the token lacks the permission "${PERMISSIONS.notifications}" (${reason})` : reason;
}
