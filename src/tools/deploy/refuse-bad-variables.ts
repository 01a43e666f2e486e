import { parseRegistrationMode, REGISTRATION_MODES } from "../../domain/registration.ts";
import { DeployError } from "./deploy-error.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/**
 * What the Worker would take for a mistake is told to whoever makes it.
 * @throws DeployError
 */
export function refuseBadVariables({ path, raw }: Pick<WorkerConfig, "path" | "raw">): void {
  const mode = raw.vars?.REGISTRATION;
  if (parseRegistrationMode(mode === undefined ? undefined : String(mode)) === undefined) {
    throw new DeployError(`${path}: REGISTRATION is "${mode}", and must be one of ${REGISTRATION_MODES.join(", ")}`);
  }
}
