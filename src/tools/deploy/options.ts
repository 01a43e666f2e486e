import { parseArgs } from "node:util";
import { OLDER_VALUE_DAYS, type SecretName } from "../../domain/secret-pair.ts";
import { DeployError } from "./deploy-error.ts";
import { isJurisdiction, isLocation, JURISDICTIONS, LOCATIONS, type Residence } from "./residence.ts";

/** The options of a run. Undefined keeps the value of the last run. */
export interface DeployOptions {
  /** The prefix of all resource names. An account may have several installations. */
  readonly name: string;
  readonly isDryRun: boolean;
  readonly isHelp: boolean;
  /** Uploads Workers that did not change, too. */
  readonly isForced: boolean;
  /** Replaces a lost operator token. */
  readonly isTokenRenewed: boolean;
  /** The secret that gets a new value, and whether its earlier values end at once. */
  readonly rotated: { readonly name: SecretName; readonly isLeaked: boolean } | undefined;
  /** Whether the media processor runs as a Container. */
  readonly container: boolean | undefined;
  /** The API's own domain; null: workers.dev. */
  readonly domain: string | null | undefined;
  /** The domain of file URLs; null: the API's domain, else workers.dev. */
  readonly cdnDomain: string | null | undefined;
  /** The place of the data, for the first deployment. */
  readonly place: Residence | undefined;
  /** The address that Cloudflare notifies of high usage; null: no mail. */
  readonly notify: string | null | undefined;
}

const DEFAULT_NAME = "media-host";

export const USAGE = `usage: npm run deploy -- [options]

Creates or updates the service in a Cloudflare account: databases, bucket, queues, secrets, the three Workers and the
schema. Then it tries the service. Deployment it again after every change, and after an interruption.

  --dry-run             prints the plan and changes nothing
  --without-container   deploys no Container: needs no Docker; videos get no thumbnails
  --with-container      deploys the Container again
  --location PLACE      first deployment: databases and files near ${Object.keys(LOCATIONS).join(", ")}
  --jurisdiction PLACE  first deployment: databases and files stay in ${Object.keys(JURISDICTIONS).join(", ")}
  --domain HOST         the API's domain, in a zone of the account; "none" removes it
  --cdn-domain HOST     the domain of files; "none" removes it
  --notify EMAIL        Cloudflare mails this address when the account has many requests; "none" removes it
  --name NAME           another installation in the same account (default: ${DEFAULT_NAME})
  --force               uploads unchanged Workers as well
  --new-admin-token     replaces a lost operator token
  --rotate SECRET       gives a secret a new value; the one before stays valid for a time
  --leaked              with --rotate: the values before are refused at once
  --help                this text

The next run remembers the place, the domains, the address and the Container.

environment:
  CLOUDFLARE_API_TOKEN    the API token; without it, this command lists the permissions that the token needs
  CLOUDFLARE_ACCOUNT_ID   chooses the account if the token reaches several
  ADMIN_TOKEN             the operator token, on a machine that did not make it
  DEPLOY_DIR              the folder of installations (.deploy); keep it, it has the operator token`;

/** Bucket names have at most 63 characters. The part after the installation's name has at most 20. */
const NAME = /^[a-z][a-z0-9-]{1,30}[a-z0-9]$/;
const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const EMAIL = /^(?=.{3,254}$)[^\s@"]+@[^\s@"]+\.[^\s@".]+$/;
const NONE = "none";

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
    rotated: readRotated(values.rotate, values.leaked ?? false, values["new-admin-token"] ?? false),
    container: without ? false : withContainer ? true : undefined,
    domain: readDomain("--domain", values.domain),
    cdnDomain: readDomain("--cdn-domain", values["cdn-domain"]),
    place: readPlace(values.location, values.jurisdiction),
    notify: readNotify(values.notify),
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
        location: { type: "string" },
        jurisdiction: { type: "string" },
        name: { type: "string" },
        notify: { type: "string" },
        force: { type: "boolean" },
        "new-admin-token": { type: "boolean" },
        rotate: { type: "string" },
        leaked: { type: "boolean" },
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
  if (host === NONE) return null;
  if (!HOST.test(host)) throw new DeployError(`${option} takes a domain such as files.example.com, not "${value}"`);
  return host;
}

function readNotify(value: string | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  if (value === NONE) return null;
  if (!isEmail(value)) throw new DeployError(`--notify takes an e-mail address or none, not "${value}"`);
  return value;
}

/** Whether a text has the form of an e-mail address. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

function readRotated(name: string | undefined, isLeaked: boolean, isTokenRenewed: boolean): DeployOptions["rotated"] {
  if (name === undefined) {
    if (isLeaked) throw new DeployError("--leaked goes with --rotate");
    return undefined;
  }
  if (isTokenRenewed) throw new DeployError("--rotate and --new-admin-token exclude each other");
  if (Object.hasOwn(OLDER_VALUE_DAYS, name)) return { name: name as SecretName, isLeaked };
  throw new DeployError(`--rotate takes one of ${Object.keys(OLDER_VALUE_DAYS).join(", ")}`);
}

function readPlace(location: string | undefined, jurisdiction: string | undefined): Residence | undefined {
  if (location !== undefined && jurisdiction !== undefined) {
    throw new DeployError(
      "--location and --jurisdiction exclude each other: with a jurisdiction D1 ignores the location",
    );
  }
  if (location !== undefined) {
    if (!isLocation(location)) throw new DeployError(`--location takes one of ${Object.keys(LOCATIONS).join(", ")}`);
    return { location };
  }
  if (jurisdiction === undefined) return undefined;
  if (isJurisdiction(jurisdiction)) return { jurisdiction };
  throw new DeployError(`--jurisdiction takes one of ${Object.keys(JURISDICTIONS).join(", ")}`);
}
