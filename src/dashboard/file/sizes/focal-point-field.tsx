import type { FocalPoint } from "../../../domain/variants/focal-point.ts";
import { Button } from "../../design/button.tsx";
import { pointInWords } from "./crop-stage.tsx";
import styles from "./sizes-dialog.module.css";

interface FocalPointFieldProps {
  /** The point that is kept with the file. */
  readonly point: FocalPoint | null;
  readonly isSaving: boolean;
  readonly onRemove: () => void;
}

/** The kept focal point in words. */
export function FocalPointField({ point, isSaving, onRemove }: FocalPointFieldProps) {
  return (
    <div className={styles.focal}>
      <div>
        <h2>Focal point</h2>
        <p role="status">
          {isSaving
            ? "Saving"
            : point === null
              ? "Click the picture to keep a point in every crop."
              : `Kept with the file: ${pointInWords(point)}`}
        </p>
      </div>
      {point !== null && (
        <Button size="small" tone="quiet" onClick={onRemove}>
          Remove
        </Button>
      )}
    </div>
  );
}
