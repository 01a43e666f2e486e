import { type SubmitEvent, useState } from "react";
import type { NamedWebhook, NewNamedWebhook } from "../../../client/types.ts";
import { DEFAULT_WEBHOOK, type EventType } from "../../../domain/events.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { useSetWebhook } from "../../api/queries/webhooks.ts";
import { hasApiKeys } from "../../api/tier-words.ts";
import { Button } from "../../design/button.tsx";
import { Checkbox } from "../../design/checkbox.tsx";
import form from "../../design/dialog-form.module.css";
import { Field } from "../../design/field.tsx";
import { IdentifierField } from "../../design/identifier-field.tsx";
import { Problem } from "../../design/problem.tsx";
import { fieldErrors } from "../../shell/field-errors.ts";
import { EVENT_WORDS } from "./event-words.ts";

interface WebhookFormProps {
  readonly webhook: NamedWebhook | undefined;
  readonly names: readonly string[];
  readonly tier: TierName;
  readonly onMade: (webhook: NewNamedWebhook) => void;
  readonly onCancel: () => void;
}

export function WebhookForm({ webhook, names, tier, onMade, onCancel }: WebhookFormProps) {
  const set = useSetWebhook();
  // Programs that know only `/settings/webhook` find a webhook with this name.
  const [name, setName] = useState(webhook?.name ?? (names.length === 0 ? DEFAULT_WEBHOOK : ""));
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<ReadonlySet<EventType>>(new Set(webhook?.events ?? ["upload.completed"]));
  const isTaken = webhook === undefined && names.includes(name.trim());
  const { fields, message } = fieldErrors(set.error, ["name", "url"]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!set.isPending) set.mutate({ name: name.trim(), url: url.trim(), events: [...events] }, { onSuccess: onMade });
  };
  const toggle = (type: EventType, on: boolean) => {
    const next = new Set(events);
    if (on) next.add(type);
    else next.delete(type);
    setEvents(next);
  };
  // Free and Starter have no alerts.
  const offered = EVENT_WORDS.filter(({ type }) => type !== "usage.alert" || hasApiKeys(tier) || events.has(type));
  return (
    <form onSubmit={submit} className={form.form}>
      {webhook === undefined && (
        <IdentifierField
          value={name}
          hint="The program that gets the events, such as shop."
          error={isTaken ? "A webhook has this name" : fields.name}
          onChange={setName}
        />
      )}
      <Field
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        placeholder="https://example.com/hooks/media"
        autoComplete="off"
        required
        value={url}
        error={fields.url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <fieldset className={form.choices}>
        <legend>Events</legend>
        {offered.map(({ type, title, hint }) => (
          <Checkbox
            key={type}
            name={type}
            label={title}
            hint={hint}
            checked={events.has(type)}
            onChange={(event) => toggle(type, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      {message !== undefined && <Problem error={set.error} title="The webhook could not be saved" />}
      <div className={form.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="main" busy={set.isPending} disabled={events.size === 0 || isTaken}>
          Save
        </Button>
      </div>
    </form>
  );
}
