import { parseArgs } from "node:util";
import { DeployError } from "./deploy-error.ts";

/** What one run was asked for. Undefined is what the run before it had. */
export interface DeployOptions {
  /** What the names of all resources begin with: several installations may live in one account. */
  readonly name: string;
  readonly isDryRun: boolean;
  readonly isHelp: boolean;
  /** Uploads Workers that did not change, too. */
  readonly isForced: boolean;
  /** Replaces an operator's token that nobody has any more. */
  readonly isTokenRenewed: boolean;
  /** Whether the media processor runs as a Container. */
  readonly container: boolean | undefined;
  /** The API's own domain; null: workers.dev. */
  readonly domain: string | null | undefined;
  /** The domain of the files' addresses; null: workers.dev, or the API's domain where that has one. */
  readonly cdnDomain: string | null | undefined;
}

export const DEFAULT_NAME = "media-host";

export const USAGE = `usage: npm run deploy -- [options]

Makes or updates the whole service in a Cloudflare account: databases, bucket, queues, secrets, the three Workers,
the database's schema; then tries it. Run it again after every change, and again where it broke off.

  --dry-run             says all that would be done, and changes nothing
  --without-container   deploys no Container: needs no Docker; videos get no thumbnails
  --with-container      takes that back
  --domain HOST         the API answers at this domain of a zone in the account; "none" takes it back
  --cdn-domain HOST     files are served at this domain; "none" takes it back
  --name NAME           another installation in the same account (default: ${DEFAULT_NAME})
  --force               uploads Workers that did not change, too
  --new-admin-token     makes another operator's token, where the one in use is lost
  --help                this text

Options that describe the installation (domains, container) are remembered for the next run.

environment:
  CLOUDFLARE_API_TOKEN    who deploys; without it, this command says which permissions the token needs
  CLOUDFLARE_ACCOUNT_ID   which account, where the token reaches several
  ADMIN_TOKEN             the operator's token, on a machine that did not make it
  DEPLOY_DIR              where installations are remembered (.deploy); keep it, it has the operator's token`;

/** Bucket names take 63 characters, and what follows the name is at most 20 of them. */
const NAME = /^[a-z][a-z0-9-]{1,30}[a-z0-9]$/;
const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const NO_DOMAIN = "none";

/** @throws DeployError for an option that is not one of these, or a value that cannot be one */
export function parseOptions(args: readonly string[]): DeployOptions {
  const { values } = parse(args);
  const name = values.name ?? DEFAULT_NAME;
  if (!NAME.test(name)) {
    throw new DeployError("--name takes 3 to 32 lower-case letters, digits and hyphens, and begins with a letter");
  }
  const { "without-container": without = false, "with-container": withContainer = false } = values;
  if (without && withContainer) throw new DeployError("--with-container and --without-container exclude each other");
  return {
    name,
    isDryRun: values["dry-run"] ?? false,
    isHelp: values.help ?? false,
    isForced: values.force ?? false,
    isTokenRenewed: values["new-admin-token"] ?? false,
    container: without ? false : withContainer ? true : undefined,
    domain: readDomain("--domain", values.domain),
    cdnDomain: readDomain("--cdn-domain", values["cdn-domain"]),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        "dry-run": { type: "boolean" },
        "without-container": { type: "boolean" },
        "with-container": { type: "boolean" },
        domain: { type: "string" },
        "cdn-domain": { type: "string" },
        name: { type: "string" },
        force: { type: "boolean" },
        "new-admin-token": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new DeployError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readDomain(option: string, value: string | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  const host = value.toLowerCase();
  if (host === NO_DOMAIN) return null;
  if (!HOST.test(host)) throw new DeployError(`${option} takes a domain such as files.example.com, not "${value}"`);
  return host;
}
