import type { TierName } from "../../domain/tiers.ts";
import { tierName } from "../api/tier-words.ts";
import { Section } from "../design/section.tsx";

interface NoWebhookSectionProps {
  readonly tier: TierName;
}

export function NoWebhookSection({ tier }: NoWebhookSectionProps) {
  return (
    <Section
      title="Webhook"
      description={`Alerts about the month's operations, and a webhook for them, come with Pro and Business. On ${tierName(tier)} the usage page shows where you are.`}
    />
  );
}
