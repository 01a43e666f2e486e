import { toLogLine } from "../domain/log-line.ts";
import { parseRegistrationMode, REGISTRATION_MODES, type RegistrationMode } from "../domain/registration.ts";

export interface RegistrationBindings {
  readonly REGISTRATION?: string;
  readonly TURNSTILE_SITE_KEY?: string;
  readonly TURNSTILE_HOSTNAMES?: string;
  readonly TURNSTILE_VERIFY_URL?: string;
  /** A secret, which only those have who ask for Turnstile. */
  readonly TURNSTILE_SECRET_KEY?: string;
}

/** What a registration has to pass. */
export interface RegistrationConfig {
  readonly mode: RegistrationMode;
  readonly turnstile: TurnstileConfig | undefined;
}

export interface TurnstileConfig {
  /** What the page's widget is made with. */
  readonly siteKey: string;
  readonly secretKey: string;
  readonly verifyUrl: string;
  /** The pages' hosts; empty: the one that the request came to. */
  readonly hostnames: readonly string[];
}

/** Said once for each isolate, not with each request. */
const complaints = new Set<string>();

/**
 * Reads how accounts are opened. Whoever misspelt a variable meant to restrict something, so that nobody may register then:
 * a mode that is not known, and half of Turnstile's keys, close the registration.
 */
export function readRegistrationConfig(bindings: RegistrationBindings): RegistrationConfig {
  const { REGISTRATION, TURNSTILE_SITE_KEY: siteKey = "", TURNSTILE_SECRET_KEY: secretKey = "" } = bindings;
  const mode = parseRegistrationMode(REGISTRATION);
  if (mode === undefined) {
    complain(`REGISTRATION is "${REGISTRATION}", which is none of ${REGISTRATION_MODES.join(", ")}: it is closed`);
  }
  const isHalf = (siteKey === "") !== (secretKey === "");
  if (isHalf) complain("Of TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY one is missing: registration is closed");
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
