import Plus from "lucide-react/icons/plus";
import Webhook from "lucide-react/icons/webhook";
import { useState } from "react";
import type { NamedWebhook } from "../../../client/types.ts";
import { MAX_WEBHOOKS } from "../../../domain/events.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { useWebhooks } from "../../api/queries/webhooks.ts";
import { tierName } from "../../api/tier-words.ts";
import { Button } from "../../design/button.tsx";
import { Empty } from "../../design/empty.tsx";
import { formatPlural } from "../../design/format.ts";
import { Problem } from "../../design/problem.tsx";
import styles from "../../design/rows.module.css";
import { Section } from "../../design/section.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookDialogs, type WebhookPart } from "./webhook-dialogs.tsx";
import { WebhookRow } from "./webhook-row.tsx";

interface WebhooksSectionProps {
  readonly tier: TierName;
}

/** The account's webhooks: their events, state and last deliveries. */
export default function WebhooksSection({ tier }: WebhooksSectionProps) {
  const { data: webhooks, error, refetch } = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<{ readonly webhook: NamedWebhook; readonly part?: WebhookPart }>();
  const most = MAX_WEBHOOKS[tier];
  const isFull = webhooks !== undefined && webhooks.length >= most;
  return (
    <Section
      title="Webhooks"
      description="A signed POST request to your server for each event that you choose (Standard Webhooks)."
      aside={
        webhooks !== undefined &&
        !isFull && (
          <Button tone="main" icon={Plus} onClick={() => setAdding(true)}>
            Add webhook
          </Button>
        )
      }
    >
      {webhooks === undefined && error === null && <Skeleton height={34} />}
      {error !== null && webhooks === undefined && (
        <Problem error={error} title="The webhooks could not be loaded" onRetry={() => void refetch()} />
      )}
      {webhooks?.length === 0 && (
        <Empty icon={Webhook} title="No webhook yet">
          Your server gets a message when a file is stored, changed or deleted. It can also ask for events by GET
          /events.
        </Empty>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <ul className={styles.list} aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.name} of={webhook} onOpen={(part) => setOpened({ webhook, part })} />
          ))}
        </ul>
      )}
      {isFull && (
        <p className={styles.soft}>
          {tierName(tier)} has room for {formatPlural(most, "webhook", "webhooks")}.
        </p>
      )}
      {opened !== undefined && (
        <WebhookDialogs
          key={opened.webhook.name}
          of={opened.webhook}
          part={opened.part}
          tier={tier}
          onClose={() => setOpened({ webhook: opened.webhook })}
        />
      )}
      <WebhookDialog
        names={webhooks?.map(({ name }) => name) ?? []}
        tier={tier}
        open={isAdding}
        onOpenChange={setAdding}
      />
    </Section>
  );
}
