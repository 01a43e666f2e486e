import { toLogLine } from "../domain/log-line.ts";
import type { VerificationMode } from "../domain/mail-proofs.ts";
import { parseRegistrationMode, REGISTRATION_MODES, type RegistrationMode } from "../domain/registration.ts";
import { readSecret, type SecretBindings, type SecretPair } from "../domain/secret-pair.ts";
import { sendsMail, type VerificationBindings, verificationMode } from "../meter/mail-bindings.ts";

export interface RegistrationBindings {
  readonly REGISTRATION?: string;
  readonly TURNSTILE_SITE_KEY?: string;
  readonly TURNSTILE_HOSTNAMES?: string;
  readonly TURNSTILE_VERIFY_URL?: string;
  /** A secret; only deployments with Turnstile have it. */
  readonly TURNSTILE_SECRET_KEY?: string;
}

/** The conditions of a registration. */
export interface RegistrationConfig {
  readonly mode: RegistrationMode;
  readonly turnstile: TurnstileConfig | undefined;
}

export interface TurnstileConfig {
  /** Turnstile's public key, for the widget in the page. */
  readonly siteKey: string;
  readonly secretKey: string;
  readonly verifyUrl: string;
  /** Hosts of the pages that may show the widget. If the list is empty, only the request's host may. */
  readonly hostnames: readonly string[];
}

/** Problems that were logged. Each is logged once per isolate, not with each request. */
const complaints = new Set<string>();

/**
 * Reads the rules for registration. A misspelt variable was meant to restrict registration, so an unknown mode or only one of Turnstile's
 * keys closes it.
 */
export function readRegistrationConfig(bindings: RegistrationBindings): RegistrationConfig {
  const { REGISTRATION, TURNSTILE_SITE_KEY: siteKey = "", TURNSTILE_SECRET_KEY: secretKey = "" } = bindings;
  const mode = parseRegistrationMode(REGISTRATION);
  if (mode === undefined) {
    complain(`REGISTRATION is "${REGISTRATION}" instead of ${REGISTRATION_MODES.join(", ")}: registration is closed`);
  }
  const isHalf = (siteKey === "") !== (secretKey === "");
  if (isHalf) complain("TURNSTILE_SITE_KEY or TURNSTILE_SECRET_KEY is missing: registration is closed");
  const hostnames = (bindings.TURNSTILE_HOSTNAMES ?? "").split(",").map((name) => name.trim().toLowerCase());
  return {
    mode: isHalf ? "closed" : (mode ?? "closed"),
    turnstile:
      siteKey === "" || secretKey === ""
        ? undefined
        : {
            siteKey,
            secretKey,
            verifyUrl: bindings.TURNSTILE_VERIFY_URL ?? "",
            hostnames: hostnames.filter((name) => name !== ""),
          },
  };
}

function complain(message: string): void {
  if (complaints.has(message)) return;
  complaints.add(message);
  console.error(toLogLine("registration.misconfigured", { message }));
}

export interface WebhookBindings extends SecretBindings<"WEBHOOK_SECRET"> {
  readonly DNS_RESOLVER_URL: string;
  readonly WEBHOOK_ALLOW_PRIVATE: string;
}

export interface WebhookConfig {
  /** All webhooks' secrets are derived from it. */
  readonly secret: SecretPair;
  readonly resolverUrl: string;
  /** Development and tests only: any host is allowed. */
  readonly allowsPrivate: boolean;
  /** The service's own hosts, as far as they are known. */
  readonly ownHosts: readonly string[];
}

/** @param ownUrls addresses of the service; empty ones are left out */
export function readWebhookConfig(bindings: WebhookBindings, ownUrls: readonly string[], now: number): WebhookConfig {
  return {
    secret: readSecret(bindings, "WEBHOOK_SECRET", now),
    resolverUrl: bindings.DNS_RESOLVER_URL,
    allowsPrivate: bindings.WEBHOOK_ALLOW_PRIVATE === "true",
    ownHosts: ownUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname),
  };
}

export interface MailConfigBindings extends VerificationBindings {
  readonly PUBLIC_URL: string;
}

export interface MailConfig {
  /** Whether mail can be sent. */
  readonly isSetUp: boolean;
  /** Whether addresses have to be verified; `off` if no mail can be sent. */
  readonly verification: VerificationMode;
  /** The start of links in mails, without a trailing slash. */
  readonly origin: string;
}

/** @param origin the request's, used if `PUBLIC_URL` is empty */
export function readMailConfig(bindings: MailConfigBindings, origin: string): MailConfig {
  return {
    isSetUp: sendsMail(bindings),
    verification: verificationMode(bindings),
    origin: bindings.PUBLIC_URL === "" ? origin : bindings.PUBLIC_URL.replace(/\/+$/, ""),
  };
}

export interface ModerationBindings {
  readonly MODERATION_URL?: string;
  /** A secret; only installations with a hook have it. Two values, separated by a space, both sign. */
  readonly MODERATION_SECRET?: string;
  readonly CDN_URL: string;
  readonly PUBLIC_URL: string;
}

export interface ModerationConfig {
  readonly url: string;
  /** Sign the questions. */
  readonly secrets: readonly string[];
  /** Prefix of the files' URLs, without a trailing slash; empty if none is configured, and then the hook is not called. */
  readonly filesUrl: string;
}

/** @returns undefined if the installation has no moderation hook */
export function readModerationConfig(bindings: ModerationBindings): ModerationConfig | undefined {
  const { MODERATION_URL: url = "", MODERATION_SECRET: secret = "", CDN_URL, PUBLIC_URL } = bindings;
  if (url === "") return undefined;
  return { url, secrets: secret.split(" "), filesUrl: (CDN_URL || PUBLIC_URL).replace(/\/$/, "") };
}
