import { TIERS, type TierName } from "../../domain/tiers.ts";

/** Whether a tier has API keys, and with them alerts, the log and webhooks: Pro and Business. */
export function hasApiKeys(tier: TierName): boolean {
  return TIERS[tier].keyKind === "api";
}

const NAMES: Readonly<Record<TierName, string>> = {
  free: "Free",
  starter: "Starter",
  pro: "Pro",
  business: "Business",
};

export function tierName(tier: TierName): string {
  return NAMES[tier];
}
