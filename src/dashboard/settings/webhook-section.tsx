import type { TierName } from "../../domain/tiers.ts";
import { useWebhook } from "../api/queries/webhook.ts";
import { tierName } from "../api/tier-words.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";

/** The webhook for usage alerts (Pro and Business). */
export function WebhookSection() {
  const { data: webhook, error, refetch } = useWebhook();
  return (
    <Section
      title="Webhook"
      description="A POST request at 50, 80, 90 and 100 % of the month's operations, signed (Standard Webhooks)."
    >
      {error !== null && webhook === undefined && (
        <Problem error={error} title="The webhook could not be loaded" onRetry={() => void refetch()} />
      )}
      {webhook === undefined && error === null && <Skeleton height={34} />}
      {webhook !== undefined && (
        <>
          <WebhookForm url={webhook.url} />
          {webhook.url !== null && <WebhookState webhook={webhook} />}
        </>
      )}
    </Section>
  );
}

/** Shown on Free and Starter in place of the section. */
export function NoWebhookSection({ tier }: { readonly tier: TierName }) {
  return (
    <Section
      title="Webhook"
      description={`Usage alerts and webhooks are available on Pro and Business. On ${tierName(tier)}, see your usage on the Usage page.`}
    />
  );
}
