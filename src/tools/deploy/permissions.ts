/** Permissions of the API token (Cloudflare, "API token permissions"), by their names in the dashboard. */
export const PERMISSIONS = {
  account: "Account · Account Settings · Read",
  scripts: "Account · Workers Scripts · Edit",
  databases: "Account · D1 · Edit",
  buckets: "Account · Workers R2 Storage · Edit",
  queues: "Account · Queues · Edit",
  containers: "Account · Containers · Edit",
  routes: "Zone · Workers Routes · Edit",
  zones: "Zone · Zone · Read",
  dns: "Zone · DNS · Read",
  notifications: "Account · Notifications · Edit",
} as const;

export type Permission = keyof typeof PERMISSIONS;

const ALWAYS: readonly Permission[] = ["account", "scripts", "databases", "buckets", "queues"];
const WITH_DOMAIN: readonly Permission[] = ["routes", "zones", "dns"];

export const TOKEN_PAGE = "https://dash.cloudflare.com/profile/api-tokens";

/** Instructions for a first deployment. */
export const TOKEN_HELP = `CLOUDFLARE_API_TOKEN is not set.

  1. The account needs the Workers Paid plan, and R2 switched on: https://dash.cloudflare.com
  2. Open ${TOKEN_PAGE}, "Create Token", "Create Custom Token",
     and give it these permissions:
${list(ALWAYS)}
     without --without-container also:
${list(["containers"])}
     for --domain and --cdn-domain also, for their zones:
${list(WITH_DOMAIN)}
     for --notify also:
${list(["notifications"])}
  3. CLOUDFLARE_API_TOKEN=... npm run deploy`;

function list(names: readonly Permission[]): string {
  return names.map((name) => `       ${PERMISSIONS[name]}`).join("\n");
}
