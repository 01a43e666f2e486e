import { ERRORS } from "../../domain/errors.ts";
import { TIERS } from "../../domain/tiers.ts";
import type { AccountContext } from "../context.ts";

/**
 * Alerts and webhooks are for Pro and Business (specification, Events).
 * @throws ServiceError 403
 */
export function requireAlertTier({ figures }: AccountContext): void {
  if (TIERS[figures.tier].keyKind !== "api") throw ERRORS.ApiTierRequired();
}
