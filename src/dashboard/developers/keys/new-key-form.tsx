import { type SubmitEvent, useState } from "react";
import type { NewKey } from "../../../client/index.ts";
import { useCreateKey } from "../../api/queries/keys.ts";
import { Button } from "../../design/button.tsx";
import { Checkbox } from "../../design/checkbox.tsx";
import form from "../../design/dialog-form.module.css";
import { type Expiry, toExpiresAt } from "../../design/expiry.ts";
import { ExpiryFields } from "../../design/expiry-fields.tsx";
import { Field } from "../../design/field.tsx";
import { Problem } from "../../design/problem.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { fieldErrors } from "../../shell/field-errors.ts";
import { titleOfFailedKey } from "./failed-key.ts";
import { FolderSelect } from "./folder-select.tsx";
import styles from "./new-key-form.module.css";
import { type KeyScope, PRESETS, type Preset, SCOPE_WORDS, scopesOf } from "./scopes.ts";

const FOLDER_WORDS = SCOPE_WORDS.filter(({ scope }) => scope.startsWith("folders:"));

interface NewKeyFormProps {
  readonly onMade: (key: NewKey) => void;
  readonly onCancel: () => void;
}

export function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const create = useCreateKey();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<KeyScope>>(new Set(FOLDER_WORDS.map(({ scope }) => scope)));
  const [preset, setPreset] = useState<Preset>("upload");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [day, setDay] = useState("");
  const [folderId, setFolderId] = useState<string | null>(null);
  const { fields, message } = fieldErrors(create.error, ["name", "expiresAt"]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const expiresAt = toExpiresAt(expiry, day, Date.now());
    create.mutate({ name: name.trim(), scopes: scopesOf(preset, scopes), expiresAt, folderId }, { onSuccess: onMade });
  };
  const toggle = (scope: KeyScope, on: boolean) => {
    const next = new Set(scopes);
    if (on) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  return (
    <form onSubmit={submit} className={form.form}>
      <Field
        label="Name"
        name="name"
        hint="The program that uses the key, such as website, backup or ShareX on the laptop."
        value={name}
        maxLength={100}
        required
        autoComplete="off"
        error={fields.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.choice}>
        <span className={styles.label} aria-hidden>
          Permissions
        </span>
        <Segmented label="Permissions" options={PRESETS} value={preset} onChange={setPreset} />
        <p className={styles.hint} role="status">
          {PRESETS.find(({ value }) => value === preset)?.hint}
        </p>
      </div>
      {preset === "everything" && (
        <fieldset className={form.choices}>
          <legend>Permissions for folders</legend>
          {FOLDER_WORDS.map(({ scope, title, hint }) => (
            <Checkbox
              key={scope}
              name={scope}
              label={title}
              hint={hint}
              checked={scopes.has(scope)}
              onChange={(event) => toggle(scope, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      <ExpiryFields<never>
        label="Expires"
        value={expiry}
        onChange={setExpiry}
        day={day}
        onDay={setDay}
        error={fields.expiresAt}
      />
      <FolderSelect
        value={folderId}
        onChange={setFolderId}
        hint="The key reaches this folder and the folders below it, and neither settings nor usage."
      />
      {message !== undefined && <Problem error={create.error} title={titleOfFailedKey(create.error)} />}
      <div className={form.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="main" busy={create.isPending} disabled={name.trim() === ""}>
          Create key
        </Button>
      </div>
    </form>
  );
}
