import { type SubmitEvent, useState } from "react";
import type { NewKey } from "../../client/index.ts";
import { useCreateKey } from "../api/queries/keys.ts";
import { Button } from "../design/button.tsx";
import { Checkbox } from "../design/checkbox.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import styles from "./new-key-form.module.css";
import { type KeyScope, SCOPE_WORDS } from "./scopes.ts";

interface NewKeyFormProps {
  readonly onMade: (key: NewKey) => void;
  readonly onCancel: () => void;
}

export function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const create = useCreateKey();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<KeyScope>>(new Set());
  const nameError = fieldErrors(create.error, ["name"]).fields.name;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    create.mutate({ name: name.trim(), scopes: [...scopes] }, { onSuccess: onMade });
  };
  const toggle = (scope: KeyScope, on: boolean) => {
    const next = new Set(scopes);
    if (on) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <Field
        label="Name"
        name="name"
        hint="What uses it: website, backup, ShareX on the laptop."
        value={name}
        maxLength={100}
        required
        autoComplete="off"
        error={nameError}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <fieldset className={styles.scopes}>
        <legend>It may also</legend>
        {SCOPE_WORDS.map(({ scope, title, hint }) => (
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
      {create.error !== null && nameError === undefined && (
        <Problem error={create.error} title="The key could not be made" />
      )}
      <div className={styles.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="main" busy={create.isPending} disabled={name.trim() === ""}>
          Make key
        </Button>
      </div>
    </form>
  );
}
