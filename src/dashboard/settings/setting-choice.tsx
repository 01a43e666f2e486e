import { useEffect, useState } from "react";
import type { Settings } from "../../client/index.ts";
import { useUpdateSettings } from "../api/queries/settings.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import rows from "../design/rows.module.css";
import { Select } from "../design/select.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./setting-choice.module.css";

interface SettingChoiceProps<Name extends "variants" | "metadata"> {
  readonly settings: Settings;
  readonly name: Name;
  readonly label: string;
  readonly options: readonly { readonly value: Settings[Name]; readonly title: string; readonly hint: string }[];
  /** Says when the choice takes effect. */
  readonly whenSaved: string;
}

/** A setting with several values. A change needs the Save button, because it affects pages or later uploads. */
export function SettingChoice<Name extends "variants" | "metadata">({
  settings,
  name,
  label,
  options,
  whenSaved,
}: SettingChoiceProps<Name>) {
  const update = useUpdateSettings();
  const saved = settings[name];
  const [chosen, setChosen] = useState(saved);
  // Another tab may have changed it.
  useEffect(() => setChosen(saved), [saved]);
  const { hint } = options.find(({ value }) => value === chosen) ?? {};
  const save = () =>
    update.mutate(
      { [name]: chosen },
      {
        onSuccess: () => toast({ title: "Saved", description: whenSaved, tone: "ok" }),
        onError: (error) =>
          toast({
            title: "The settings could not be saved",
            description: describeError(error).message,
            tone: "danger",
            action: { title: "Retry", run: save },
          }),
      },
    );
  return (
    <div className={styles.choice}>
      <Select
        className={styles.select ?? ""}
        label={label}
        name={name}
        options={options}
        value={chosen}
        onChange={(value) => setChosen(value as Settings[Name])}
      />
      <p className={styles.hint}>{hint}</p>
      {chosen !== saved && (
        <div className={rows.row}>
          <Button tone="main" busy={update.isPending} onClick={save}>
            Save
          </Button>
          <Button tone="quiet" onClick={() => setChosen(saved)}>
            Discard
          </Button>
          <span role="status" className={rows.soft}>
            Not saved
          </span>
        </div>
      )}
    </div>
  );
}
