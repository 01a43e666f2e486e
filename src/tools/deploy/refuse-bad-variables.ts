import { parseVerificationMode, VERIFICATION_MODES } from "../../domain/mail-proofs.ts";
import { parseRegistrationMode, REGISTRATION_MODES } from "../../domain/registration.ts";
import { parseWebhookUrl } from "../../domain/webhook-url.ts";
import { DeployError } from "./deploy-error.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/**
 * Refuses variables that the Worker would refuse.
 * @throws DeployError
 */
export function refuseBadVariables({ path, raw }: Pick<WorkerConfig, "path" | "raw">): void {
  const mode = raw.vars?.REGISTRATION;
  if (parseRegistrationMode(mode === undefined ? undefined : String(mode)) === undefined) {
    throw new DeployError(`${path}: REGISTRATION is "${mode}", and must be one of ${REGISTRATION_MODES.join(", ")}`);
  }
  const verification = String(raw.vars?.EMAIL_VERIFICATION ?? "");
  if (verification !== "" && parseVerificationMode(verification) === undefined) {
    throw new DeployError(
      `${path}: EMAIL_VERIFICATION is "${verification}", and must be one of ${VERIFICATION_MODES.join(", ")}`,
    );
  }
  const hook = String(raw.vars?.MODERATION_URL ?? "");
  const parsed = hook === "" ? {} : parseWebhookUrl(hook, { allowsPrivate: false, ownHosts: [] });
  if ("reason" in parsed) throw new DeployError(`${path}: MODERATION_URL is "${hook}". ${parsed.reason}`);
  if (raw.vars?.MAIL_DEV === "true") {
    throw new DeployError(`${path}: MAIL_DEV is "true", which would show every mail to everyone`);
  }
}
