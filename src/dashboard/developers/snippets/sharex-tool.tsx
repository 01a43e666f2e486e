import Download from "lucide-react/icons/download";
import { useState } from "react";
import type { TierName } from "../../../domain/tiers.ts";
import { useCreateKey, useKeys } from "../../api/queries/keys.ts";
import { hasApiKeys } from "../../api/tier-words.ts";
import { Button } from "../../design/button.tsx";
import { describeError } from "../../design/describe-error.ts";
import { saveFile } from "../../design/save-file.ts";
import { toast } from "../../design/toast.tsx";
import { toShareX } from "../../shell/key-tools/config-files.ts";
import { RegenerateDialog } from "../../shell/key-tools/regenerate-dialog.tsx";
import { titleOfFailedKey } from "../keys/failed-key.ts";
import styles from "./sharex-tool.module.css";

interface ShareXToolProps {
  readonly tier: TierName;
}

/** Downloads ShareX's file. The file contains a key. No existing key can be read, so the file needs a new key. */
export function ShareXTool({ tier }: ShareXToolProps) {
  return hasApiKeys(tier) ? <OwnKey /> : <OnlyKey />;
}

/** Pro and Business: a key for ShareX, which can be revoked without the others. */
function OwnKey() {
  const create = useCreateKey();
  const make = () =>
    create.mutate(
      { name: "ShareX", scopes: ["upload"] },
      {
        onSuccess: ({ key }) => {
          const { filename, text, mimeType } = toShareX({ baseUrl: location.origin, key });
          saveFile(filename, [text], mimeType);
          toast({
            title: `${filename} saved`,
            description: "Open it in ShareX, then delete it, because it contains a key.",
            tone: "ok",
          });
        },
        onError: (error) =>
          toast({ title: titleOfFailedKey(error), description: describeError(error).message, tone: "danger" }),
      },
    );
  return (
    <div className={styles.tool}>
      <p>
        Creates a key named ShareX that can only upload, and a file that contains it. Open the file in ShareX to set it
        up.
      </p>
      <Button icon={Download} busy={create.isPending} onClick={make}>
        Create key and download ShareX file
      </Button>
    </div>
  );
}

/** Free and Starter: replaces the upload key after a confirmation. */
function OnlyKey() {
  const [open, setOpen] = useState(false);
  const key = useKeys().data?.find(({ kind }) => kind === "upload");
  return (
    <div className={styles.tool}>
      <p>A key can be read only once. Regenerate it to download a ShareX file; the old key stops working.</p>
      <Button icon={Download} onClick={() => setOpen(true)}>
        Regenerate key for ShareX
      </Button>
      <RegenerateDialog
        open={open}
        onOpenChange={setOpen}
        isFirst={key === undefined}
        lastUsedAt={key?.lastUsedAt ?? null}
      />
    </div>
  );
}
