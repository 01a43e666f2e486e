import { useId, useState } from "react";
import { Field } from "../design/field.tsx";
import styles from "./compression-section.module.css";
import { MAX_QUALITY, MIN_QUALITY, parseQuality, QUALITY_LEVELS } from "./quality.ts";

const HINTS = {
  high: "Hard to tell from the original",
  balanced: "For most sites",
  optimized: "Smallest files",
} as const;

interface QualityFieldProps {
  readonly text: string;
  readonly isEnabled: boolean;
  readonly onChange: (text: string) => void;
}

/** Selects a named level or a number. */
export function QualityField({ text, isEnabled, onChange }: QualityFieldProps) {
  const group = useId();
  const isNamed = QUALITY_LEVELS.some(({ quality }) => String(quality) === text.trim());
  const [isCustom, setIsCustom] = useState(!isNamed);
  return (
    <fieldset disabled={!isEnabled} className={styles.quality}>
      <legend>Quality</legend>
      <div className={styles.levels}>
        {QUALITY_LEVELS.map(({ id, title, quality }) => (
          <label key={id} className={styles.level}>
            <input
              type="radio"
              className="hidden-text"
              name={group}
              checked={!isCustom && text.trim() === String(quality)}
              onChange={() => {
                setIsCustom(false);
                onChange(String(quality));
              }}
            />
            <span className={styles.name}>
              <span>{title}</span> <span>{quality}</span>
            </span>
            <span className={styles.hint}>{HINTS[id]}</span>
          </label>
        ))}
        <label className={styles.level}>
          <input
            type="radio"
            className="hidden-text"
            name={group}
            checked={isCustom}
            onChange={() => setIsCustom(true)}
          />
          <span className={styles.name}>
            <span>Other</span> <span>{isCustom ? text : ""}</span>
          </span>
          <span className={styles.hint}>
            A number from {MIN_QUALITY} to {MAX_QUALITY}
          </span>
        </label>
      </div>
      {isCustom && (
        <Field
          className={styles.custom}
          label="Quality as a number"
          name="quality"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          error={parseQuality(text) === undefined ? `A whole number from ${MIN_QUALITY} to ${MAX_QUALITY}` : undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </fieldset>
  );
}
