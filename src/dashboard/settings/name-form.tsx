import { type SubmitEvent, useState } from "react";
import { useUpdateAccount } from "../api/queries/account-changes.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";
import { toast } from "../design/toast.tsx";
import { fieldErrors } from "../shell/field-errors.ts";
import styles from "./forms.module.css";

interface NameFormProps {
  readonly name: string | null;
}

/** Changes the account's name. */
export function NameForm({ name }: NameFormProps) {
  const update = useUpdateAccount();
  const [text, setText] = useState(name ?? "");
  const nameError = fieldErrors(update.error, ["name"]).fields.name;
  const next = text.trim() === "" ? null : text.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (update.isPending || next === name) return;
    update.mutate({ name: next }, { onSuccess: () => toast({ title: "Name saved", tone: "ok" }) });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={100}
        hint="Only you can see it. If it is empty, your e-mail is shown."
        value={text}
        error={nameError}
        onChange={(event) => setText(event.currentTarget.value)}
        after={
          <Button type="submit" busy={update.isPending} disabled={next === name}>
            Save
          </Button>
        }
      />
      {update.error !== null && nameError === undefined && (
        <Problem error={update.error} title="The name could not be saved" />
      )}
    </form>
  );
}
