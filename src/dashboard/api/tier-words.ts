import { TIERS, type TierName } from "../../domain/tiers.ts";

/** Pro and Business have API keys, alerts, webhooks and the operation log. */
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
