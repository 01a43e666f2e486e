import Copy from "lucide-react/icons/copy";
import type { UploadResult } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { CopyButton } from "../design/copy-button.tsx";
import { copyText } from "../design/copy-text.ts";
import { describeError } from "../design/describe-error.ts";
import { toast } from "../design/toast.tsx";
import { isPrivate, linksOf } from "../file/signed-link.ts";

interface CopyLinksProps {
  readonly files: readonly UploadResult[];
  readonly label: string;
}

/** Copies the links of stored files, one a line. Links of private files are signed when they are copied, for a day. */
export function CopyLinks({ files, label }: CopyLinksProps) {
  if (!files.some(isPrivate)) {
    return <CopyButton text={files.map(({ url }) => url).join("\n")} label={label} tone="quiet" size="small" />;
  }
  const copySigned = async () => {
    try {
      const isDone = await copyText((await linksOf(files)).join("\n"));
      if (!isDone) toast({ tone: "danger", title: "The browser blocked copying" });
      else toast({ title: "Copied", description: "Links of private files work for a day." });
    } catch (error) {
      toast({ tone: "danger", title: "The links could not be made", description: describeError(error).message });
    }
  };
  return (
    <Button icon={Copy} tone="quiet" size="small" onClick={() => void copySigned()}>
      {label}
    </Button>
  );
}
