import { type SubmitEvent, useState } from "react";
import type { Share, ShareChange } from "../../client/types.ts";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import form from "../design/dialog-form.module.css";
import { type Expiry, toExpiresAt } from "../design/expiry.ts";
import { ExpiryFields } from "../design/expiry-fields.tsx";
import { Field } from "../design/field.tsx";
import { formatDate } from "../design/format.ts";
import { isUnconfirmed } from "../design/is-unconfirmed.ts";
import { Problem } from "../design/problem.tsx";
import { fieldErrors } from "../shell/field-errors.ts";

const KEPT = "kept";

interface ShareFormProps {
  /** The share to change; undefined for a new one. */
  readonly share?: Share | undefined;
  /** Guests can only upload into a folder. */
  readonly isFolder: boolean;
  /** The failed request. */
  readonly error: Error | null;
  readonly busy: boolean;
  readonly onSave: (terms: ShareChange) => void;
  readonly onCancel: () => void;
}

/** The terms of a share. A change sends only the fields that the owner changed. */
export function ShareForm({ share, isFolder, error, busy, onSave, onCancel }: ShareFormProps) {
  const [title, setTitle] = useState(share?.title ?? "");
  const [hasPassword, setHasPassword] = useState(share?.hasPassword ?? false);
  const [password, setPassword] = useState("");
  const isKept = share !== undefined && share.expiresAt !== null;
  const [expiry, setExpiry] = useState<Expiry | typeof KEPT>(isKept ? KEPT : "never");
  const [day, setDay] = useState("");
  const [allowDownload, setAllowDownload] = useState(share?.allowDownload ?? true);
  const couldUpload = share !== undefined && share.allowUpload !== false;
  const [allowUpload, setAllowUpload] = useState(couldUpload);
  const { fields, message } = fieldErrors(error, ["title", "password", "expiresAt"]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const isNewPassword = hasPassword && password !== "";
    onSave({
      title: title.trim() === "" ? null : title.trim(),
      allowDownload,
      ...(isNewPassword ? { password } : hasPassword ? {} : { password: null }),
      ...(expiry === KEPT ? {} : { expiresAt: toExpiresAt(expiry, day, Date.now()) }),
      // `true` would replace the limits that a program has set.
      ...(isFolder && allowUpload !== couldUpload ? { allowUpload } : {}),
    });
  };
  return (
    <form onSubmit={submit} className={form.form}>
      <Field
        label="Title"
        name="title"
        placeholder="Shared files"
        value={title}
        maxLength={200}
        autoComplete="off"
        error={fields.title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <ExpiryFields
        label="Ends"
        first={isKept ? [{ value: KEPT, title: formatDate(share.expiresAt ?? 0, "time") }] : []}
        value={expiry}
        onChange={setExpiry}
        day={day}
        onDay={setDay}
        error={fields.expiresAt}
      />
      <fieldset className={form.choices}>
        <legend>Visitors</legend>
        <Checkbox
          name="allowDownload"
          label="May download"
          hint="Visitors can still save a picture that they see."
          checked={allowDownload}
          onChange={(event) => setAllowDownload(event.currentTarget.checked)}
        />
        {isFolder && (
          <Checkbox
            name="allowUpload"
            label="May upload into this folder"
            hint="Their files use your storage."
            checked={allowUpload}
            onChange={(event) => setAllowUpload(event.currentTarget.checked)}
          />
        )}
        <Checkbox
          name="hasPassword"
          label="Need a password"
          checked={hasPassword}
          onChange={(event) => setHasPassword(event.currentTarget.checked)}
        />
      </fieldset>
      {hasPassword && (
        <Field
          label="Password"
          name="password"
          // It is shown, because its owner sends it to the visitors.
          type="text"
          required={share?.hasPassword !== true}
          placeholder={share?.hasPassword === true ? "Unchanged" : undefined}
          value={password}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={fields.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {message !== undefined && (
        <Problem error={error} title={share === undefined ? titleOfFailure(error) : "Nothing was changed"} />
      )}
      <div className={form.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="main" busy={busy}>
          {share === undefined ? "Share" : "Save"}
        </Button>
      </div>
    </form>
  );
}

/** The service may have made the share if its answer was lost. A second share would have another link. */
function titleOfFailure(error: Error | null): string {
  return isUnconfirmed(error)
    ? "The service did not confirm the share. If it exists, the page Shares has it."
    : "The files could not be shared";
}
