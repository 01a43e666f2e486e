import type { LucideIcon } from "lucide-react";
import X from "lucide-react/icons/x";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./chip.module.css";
import { classNames } from "./class-names.ts";

export interface ChipProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon?: LucideIcon;
  /** A filter that is set, a tag that is chosen. */
  readonly on?: boolean;
  readonly size?: "small" | "normal";
  /** Shows a cross at its end that does this. */
  readonly onRemove?: () => void;
  /** The cross's name: "Remove press". */
  readonly removeLabel?: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A rounded button for a filter or a tag. */
export function Chip({
  icon: Icon,
  on = false,
  size = "normal",
  onRemove,
  removeLabel,
  children,
  ...props
}: ChipProps) {
  const { className, ...rest } = props;
  return (
    <span className={classNames(styles.chip, styles[size], on && styles.on, className)}>
      <button type="button" {...rest} className={classNames(styles.face, onRemove && styles.removable)}>
        {Icon && <Icon size={15} aria-hidden />}
        {children}
      </button>
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={removeLabel ?? "Remove"} onClick={onRemove}>
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}
