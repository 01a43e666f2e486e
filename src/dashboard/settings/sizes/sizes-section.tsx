import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import type { Settings } from "../../../client/index.ts";
import { src } from "../../../client/sizes.ts";
import type { Preset } from "../../../client/types.ts";
import { MAX_PRESETS } from "../../../domain/file-rules.ts";
import { useDeletePreset, usePresets, useSampleImage } from "../../api/queries/presets.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import { Problem } from "../../design/problem.tsx";
import rows from "../../design/rows.module.css";
import { Section } from "../../design/section.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { toast } from "../../design/toast.tsx";
import { PresetDialog } from "../../shell/presets/preset-dialog.tsx";
import styles from "./sizes-section.module.css";
import { VariantsField } from "./variants-field.tsx";

interface PresetRowProps {
  readonly of: Preset;
  /** The URL of an image on which the preset is tried; undefined if there is none, or if presets are not served. */
  readonly sampleUrl: string | undefined;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** The sizes that are served by URL, and the account's presets. */
export function SizesSection({ settings }: { readonly settings: Settings }) {
  const { data: presets, error, refetch } = usePresets();
  const { data: sample } = useSampleImage();
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const isFull = presets !== undefined && presets.length >= MAX_PRESETS;
  const isServed = settings.variants === "open" || settings.variants === "presets";
  return (
    <Section
      title="Sizes"
      description={
        <>
          A file's URL takes a size and a format: <code className={styles.example}>?w=640&auto=format</code>. A preset
          gives such parameters a name.
        </>
      }
    >
      <VariantsField settings={settings} />
      <div className={styles.head}>
        <h3>Presets</h3>
        {presets !== undefined && !isFull && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            New preset
          </Button>
        )}
      </div>
      {presets === undefined && error === null && <Skeleton height={44} />}
      {error !== null && presets === undefined && (
        <Problem error={error} title="The presets could not be loaded" onRetry={() => void refetch()} />
      )}
      {presets?.length === 0 && (
        <p className={rows.soft}>
          No preset yet. With a preset named card, ?p=card is the same size everywhere, and you change it in one place.
        </p>
      )}
      {presets !== undefined && presets.length > 0 && (
        <ul className={rows.list} aria-label="Presets">
          {presets.map((preset) => (
            <PresetRow
              key={preset.name}
              of={preset}
              sampleUrl={isServed ? sample?.url : undefined}
              onEdit={() => setAsked({ about: "edit", preset, open: true })}
              onDelete={() => setAsked({ about: "delete", preset, open: true })}
            />
          ))}
        </ul>
      )}
      {presets !== undefined && presets.length > 0 && !isServed && (
        <p className={rows.soft}>
          {settings.variants === "off" ? "No preset is served." : "Presets are served in signed URLs only."}
        </p>
      )}
      {isFull && <p className={rows.soft}>An account has at most {MAX_PRESETS} presets.</p>}
      <PresetDialog names={presets?.map(({ name }) => name) ?? []} open={isAdding} onOpenChange={setAdding} />
      {/* They are beside the list, because they stay if another tab deletes the preset. */}
      {asked?.about === "edit" && (
        <PresetDialog preset={asked.preset} open={asked.open} onOpenChange={(open) => setAsked({ ...asked, open })} />
      )}
      {asked?.about === "delete" && (
        <DeleteDialog of={asked.preset} open={asked.open} onOpenChange={(open) => setAsked({ ...asked, open })} />
      )}
    </Section>
  );
}

/** The part of a file's URL before its name. */
const UP_TO_ID = /^.*\/\w{26}/;

/** The dialog about a preset. It stays while it closes. */
interface Asked {
  readonly about: "edit" | "delete";
  readonly preset: Preset;
  readonly open: boolean;
}

interface DeleteDialogProps {
  readonly of: Preset;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

function DeleteDialog({ of: { name }, open, onOpenChange }: DeleteDialogProps) {
  const remove = useDeletePreset();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the preset “${name}”?`}
      action="Delete"
      onConfirm={async () => {
        await remove.mutateAsync(name);
        toast({ title: `Preset “${name}” deleted`, tone: "ok" });
      }}
    >
      URLs with ?p={name} stop working within a minute. Your files stay.
    </ConfirmDialog>
  );
}

/** A preset with its parameters, a sample and the actions on it. */
function PresetRow({ of: { name, parameters }, sampleUrl, onEdit, onDelete }: PresetRowProps) {
  const sample = sampleUrl === undefined ? undefined : src(sampleUrl, { preset: name });
  return (
    <li className={rows.item}>
      <div className={rows.words}>
        <p className={rows.name}>{name}</p>
        <p className={styles.parameters}>{parameters}</p>
        {sample !== undefined && (
          <p className={rows.facts}>
            <a href={sample} target="_blank" rel="noreferrer" className={styles.sample}>
              …{sample.replace(UP_TO_ID, "")}
            </a>
          </p>
        )}
      </div>
      <div className={rows.row}>
        <CopyButton size="small" text={`?p=${name}`} label={`Copy ?p=${name}`} />
        <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="small" tone="quiet" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  );
}
