import { useEffect, useState } from "react";
import type { Settings } from "../../../client/index.ts";
import type { VariantMode } from "../../../domain/file-rules.ts";
import { useUpdateSettings } from "../../api/queries/settings.ts";
import { Button } from "../../design/button.tsx";
import { describeError } from "../../design/describe-error.ts";
import rows from "../../design/rows.module.css";
import { Select } from "../../design/select.tsx";
import { toast } from "../../design/toast.tsx";
import styles from "./sizes-section.module.css";

const MODES: readonly { readonly value: VariantMode; readonly title: string; readonly hint: string }[] = [
  { value: "open", title: "Every size", hint: "Everyone who has a file's URL can ask for any size and format." },
  {
    value: "presets",
    title: "Presets and signed sizes",
    hint: "URLs with ?p= and URLs that your server signs. Other sizes answer 403.",
  },
  {
    value: "signed",
    title: "Signed sizes only",
    hint: "URLs that your server signs with a signing key. Other sizes answer 403.",
  },
  { value: "off", title: "No sizes", hint: "Only the files themselves. Every size answers 403." },
];

/** Decides which sizes are served (SET-4). A change needs the Save button, because pages that use other sizes lose their pictures. */
export function VariantsField({ settings }: { readonly settings: Settings }) {
  const update = useUpdateSettings();
  const [mode, setMode] = useState<VariantMode>(settings.variants);
  // Another tab may have changed it.
  useEffect(() => setMode(settings.variants), [settings.variants]);
  const { hint } = MODES.find(({ value }) => value === mode) ?? {};
  const isChanged = mode !== settings.variants;
  const save = () =>
    update.mutate(
      { variants: mode },
      {
        onSuccess: () =>
          toast({ title: "Saved", description: "The choice of sizes takes effect within a minute.", tone: "ok" }),
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
        label="Served sizes"
        name="variants"
        options={MODES}
        value={mode}
        onChange={(value) => setMode(value as VariantMode)}
      />
      <p className={styles.hint}>{hint}</p>
      {isChanged && (
        <div className={rows.row}>
          <Button tone="main" busy={update.isPending} onClick={save}>
            Save
          </Button>
          <Button tone="quiet" onClick={() => setMode(settings.variants)}>
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
