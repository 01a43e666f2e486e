import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import { classNames } from "./class-names.ts";
import styles from "./icon-button.module.css";

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: "small" | "normal" | "large";
  /** The shortcut in the tooltip, in tinykeys syntax. */
  readonly keys?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, icon: Icon, size = "normal", keys, className, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      {...props}
      aria-label={label}
      data-tip={label}
      data-tip-keys={keys}
      className={classNames(styles.button, styles[size], className)}
    >
      <Icon size={size === "small" ? 15 : 18} aria-hidden />
    </button>
  );
}
