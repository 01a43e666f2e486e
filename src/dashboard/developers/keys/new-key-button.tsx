import Plus from "lucide-react/icons/plus";
import { Suspense, useEffect, useState } from "react";
import type { Key } from "../../../client/index.ts";
import { Button } from "../../design/button.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { registerCommands } from "../../shell/commands.ts";

const NewKeyDialog = lazyPart(() => import("./new-key-dialog.tsx"));

/** The maximum of API keys in an account. */
const MOST_KEYS = 100;

interface NewKeyButtonProps {
  readonly keys: readonly Key[];
}

export function NewKeyButton({ keys }: NewKeyButtonProps) {
  const [open, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  if (open && !wasOpen) setWasOpen(true);
  const isFull = keys.filter(({ kind }) => kind === "api").length >= MOST_KEYS;
  useEffect(
    () =>
      registerCommands([
        { id: "new-key", title: "New key", keys: "n", icon: Plus, when: () => !isFull, run: () => setOpen(true) },
      ]),
    [isFull],
  );
  return (
    <>
      <Button
        tone="main"
        icon={Plus}
        disabled={isFull}
        title={isFull ? "You have reached the limit of 100 keys. Revoke a key first." : undefined}
        onClick={() => setOpen(true)}
      >
        New key
      </Button>
      <Suspense fallback={null}>{wasOpen && <NewKeyDialog open={open} onOpenChange={setOpen} />}</Suspense>
    </>
  );
}
