import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon-button.tsx";

const SHOWN_MS = 1600;

interface CopyButtonProps extends Pick<ButtonProps, "tone" | "size" | "className"> {
  readonly text: string;
  /** The action, for example "Copy link". */
  readonly label: string;
  /** Hides the label. */
  readonly iconOnly?: boolean;
}

/** Copies a text to the clipboard and shows "Copied". */
export function CopyButton({ text, label, iconOnly = false, ...props }: CopyButtonProps) {
  const [said, setSaid] = useState<"Copied" | "Not copied">();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    setSaid((await copyText(text)) ? "Copied" : "Not copied");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(undefined), SHOWN_MS);
  };
  const icon = said === "Copied" ? Check : Copy;
  return (
    <>
      {iconOnly ? (
        <IconButton label={said ?? label} icon={icon} onClick={copy} {...(props.className && props)} />
      ) : (
        <Button {...props} icon={icon} onClick={copy}>
          {said ?? label}
        </Button>
      )}
      <span role="status" className="hidden-text">
        {said}
      </span>
    </>
  );
}
