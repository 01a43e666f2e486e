import { src } from "../../../client/sizes.ts";
import type { Preset } from "../../../client/types.ts";
import { Button } from "../../design/button.tsx";
import { CopyButton } from "../../design/copy-button.tsx";
import rows from "../../design/rows.module.css";
import styles from "./sizes-section.module.css";

interface PresetRowProps {
  readonly of: Preset;
  /** The URL of an image on which the preset is tried; undefined if there is none, or if presets are not served. */
  readonly sampleUrl: string | undefined;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** A preset with its parameters, a sample and the actions on it. */
export function PresetRow({ of: { name, parameters }, sampleUrl, onEdit, onDelete }: PresetRowProps) {
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
