import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { useEffect, useState } from "react";
import type { ReportedFile } from "../../client/types.ts";
import { Button } from "../design/button.tsx";
import { registerCommands } from "../shell/commands.ts";
import styles from "./operator.module.css";

interface ReportedPictureProps {
  readonly file: ReportedFile["file"];
}

/**
 * The picture of a reported file. It is covered, and nothing of the file is loaded, until the operator wants to see it. An illegal picture
 * then surprises no operator, and leaves no copy in the browser's cache. The first view of the picture is blurred and grey.
 */
export function ReportedPicture({ file }: ReportedPictureProps) {
  const [state, setState] = useState<"covered" | "blurred" | "clear" | "failed">("covered");
  const url = file?.takedown === null ? file.previewUrl : null;
  useEffect(
    () =>
      registerCommands([
        {
          id: "show-report",
          title: "Show the reported picture",
          keys: "v",
          group: "Reports",
          when: () => url !== null,
          run: () => setState(next),
        },
      ]),
    [url],
  );
  const isShown = state === "blurred" || state === "clear";
  return (
    <figure className={styles.picture}>
      <div className={styles.frame}>
        {url !== null && isShown && (
          <img
            src={url}
            alt={state === "clear" ? "The reported file" : "The reported file, blurred"}
            data-state={state}
            onError={() => setState("failed")}
          />
        )}
        {!isShown && <p className={styles.cover}>{coverWords(file, url, state === "failed")}</p>}
      </div>
      <figcaption className={styles.pictureActions}>
        {url !== null && (
          <Button size="small" icon={state === "clear" ? EyeOff : Eye} onClick={() => setState(next)}>
            {
              { covered: "Show blurred (V)", failed: "Try again (V)", blurred: "Show clearly (V)", clear: "Cover (V)" }[
                state
              ]
            }
          </Button>
        )}
        {file !== null && file.takedown === null && file.viewUrl !== null && state === "clear" && (
          <a href={file.viewUrl} target="_blank" rel="noreferrer">
            Open the file
          </a>
        )}
      </figcaption>
    </figure>
  );
}

function next(state: "covered" | "blurred" | "clear" | "failed") {
  return ({ covered: "blurred", failed: "blurred", blurred: "clear", clear: "covered" } as const)[state];
}

function coverWords(file: ReportedFile["file"], url: string | null, isFailed: boolean): string {
  if (file === null) return "The file is gone.";
  if (file.takedown !== null) return "The file is taken down.";
  if (url === null) return "The file has no picture yet.";
  return isFailed ? "The picture could not be loaded." : "Nothing of the file is loaded yet.";
}
