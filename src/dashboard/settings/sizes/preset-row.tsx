import { useState } from "react";
import { src } from "../../../client/sizes.ts";
import type { Preset } from "../../../client/types.ts";
import { useDeletePreset } from "../../api/queries/presets.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import rows from "../../design/rows.module.css";
import { toast } from "../../design/toast.tsx";
import { PresetDialog } from "../../shell/presets/preset-dialog.tsx";
import styles from "./sizes-section.module.css";

interface PresetRowProps {
  readonly of: Preset;
  /** The URL of an image on which the preset is tried; undefined if there is none, or if presets are not served. */
  readonly sampleUrl: string | undefined;
}

/** A preset with its parameters, a sample and the actions on it. */
export function PresetRow({ of: preset, sampleUrl }: PresetRowProps) {
  const { name, parameters } = preset;
  const remove = useDeletePreset();
  const [shown, setShown] = useState<"edit" | "delete">();
  const showing = (part: typeof shown) => ({
    open: shown === part,
    onOpenChange: (open: boolean) => setShown(open ? part : undefined),
  });
  const sample = sampleUrl === undefined ? undefined : src(sampleUrl, { preset: name });
  return (
    <li className={rows.item}>
      <div className={rows.words}>
        <p className={rows.name}>{name}</p>
        <p className={styles.parameters}>{parameters}</p>
        {sample !== undefined && (
          <p className={rows.facts}>
            <a href={sample} target="_blank" rel="noreferrer" className={styles.sample}>
              …{sample.slice(sample.lastIndexOf("/"))}
            </a>
          </p>
        )}
      </div>
      <div className={rows.row}>
        <CopyButton size="small" text={`?p=${name}`} label={`Copy ?p=${name}`} />
        <Button size="small" aria-label={`Edit ${name}`} onClick={() => setShown("edit")}>
          Edit
        </Button>
        <Button size="small" tone="quiet" aria-label={`Delete ${name}`} onClick={() => setShown("delete")}>
          Delete
        </Button>
      </div>
      <PresetDialog preset={preset} {...showing("edit")} />
      <ConfirmDialog
        {...showing("delete")}
        title={`Delete the preset “${name}”?`}
        action="Delete"
        onConfirm={async () => {
          await remove.mutateAsync(name);
          toast({ title: `Preset “${name}” deleted`, tone: "ok" });
        }}
      >
        URLs with ?p={name} stop working within a minute. Your files stay.
      </ConfirmDialog>
    </li>
  );
}
