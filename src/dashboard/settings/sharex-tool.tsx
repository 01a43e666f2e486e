import Download from "lucide-react/icons/download";
import { useState } from "react";
import type { TierName } from "../../domain/tiers.ts";
import { useCreateKey, useKeys } from "../api/queries/keys.ts";
import { hasApiKeys } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { saveFile } from "../design/save-file.ts";
import { toast } from "../design/toast.tsx";
import { toShareX } from "../shell/key-tools/config-files.ts";
import { RegenerateDialog } from "../shell/key-tools/regenerate-dialog.tsx";
import styles from "./sharex-tool.module.css";

interface ShareXToolProps {
  readonly tier: TierName;
}

/** ShareX's file holds a key, and no key can be read again: it gets a new one. */
export function ShareXTool({ tier }: ShareXToolProps) {
  return hasApiKeys(tier) ? <OwnKey /> : <OnlyKey />;
}

/** Pro and Business: a key of ShareX's own, which can be revoked alone. */
function OwnKey() {
  const create = useCreateKey();
  const make = () =>
    create.mutate(
      { name: "ShareX", scopes: [] },
      {
        onSuccess: ({ key }) => {
          const { filename, text, mimeType } = toShareX({ baseUrl: location.origin, key });
          saveFile(filename, [text], mimeType);
          toast({
            title: `${filename} is saved`,
            description: "Open it in ShareX, then delete it: it holds a key.",
            tone: "ok",
          });
        },
        onError: (error) =>
          toast({ title: "No key was made", description: describeError(error).message, tone: "danger" }),
      },
    );
  return (
    <div className={styles.tool}>
      <p>Makes a new key named ShareX and a file that holds it. Opening the file in ShareX sets it up.</p>
      <Button icon={Download} busy={create.isPending} onClick={make}>
        Make a key and download the ShareX file
      </Button>
    </div>
  );
}

/** Free and Starter: the one key is replaced, which is said before. */
function OnlyKey() {
  const [open, setOpen] = useState(false);
  const key = useKeys().data?.find(({ kind }) => kind === "upload");
  return (
    <div className={styles.tool}>
      <p>
        The file holds your upload key, which cannot be read again: it is made with a new key, and the old one stops at
        once.
      </p>
      <Button icon={Download} onClick={() => setOpen(true)}>
        Regenerate the key for ShareX
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
