import type { LucideIcon } from "lucide-react";
import X from "lucide-react/icons/x";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./chip.module.css";
import { classNames } from "./class-names.ts";

interface ChipProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon?: LucideIcon;
  /** The filter is set, the tag is selected. */
  readonly on?: boolean;
  readonly size?: "small" | "normal";
  /** Called by the × button, which is shown if this is given. */
  readonly onRemove?: () => void;
  /** The accessible name of the × button: "Remove press". */
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
