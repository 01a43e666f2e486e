import { type SubmitEvent, useState } from "react";
import { useSetWebhook } from "../api/queries/webhook.ts";
import { Button } from "../design/button.tsx";
import { CopyButton } from "../design/copy-button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import styles from "./webhook.module.css";

interface WebhookFormProps {
  readonly url: string | null;
}

/** Sets the webhook's address. Each save creates a new secret, which is shown only once. */
export function WebhookForm({ url }: WebhookFormProps) {
  const set = useSetWebhook();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? url ?? "";
  const secret = set.data?.secret;
  const urlError = fieldErrors(set.error, ["url"]).fields.url;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!set.isPending) set.mutate(text.trim(), { onSuccess: () => setTyped(undefined) });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <Field
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        placeholder="https://example.com/hooks/media"
        autoComplete="off"
        required
        value={text}
        error={urlError}
        hint={url !== null && text.trim() === url ? "Save it again to get a new secret." : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        after={
          <Button type="submit" busy={set.isPending} disabled={text.trim() === ""}>
            {url !== null && text.trim() === url ? "New secret" : "Save"}
          </Button>
        }
      />
      {set.error !== null && urlError === undefined && (
        <Problem error={set.error} title="The webhook could not be saved" />
      )}
      <Dialog
        open={secret !== undefined}
        onOpenChange={() => set.reset()}
        title="The webhook's secret"
        description="Use it to verify the signature of each message (Standard Webhooks). It is shown only once."
        width={560}
        required
        footer={
          <Button tone="main" onClick={() => set.reset()}>
            I saved the secret
          </Button>
        }
      >
        <div className={styles.secret}>
          <output aria-label="Secret">{secret}</output>
          <CopyButton text={secret ?? ""} label="Copy secret" tone="main" />
        </div>
      </Dialog>
    </form>
  );
}
