import Plus from "lucide-react/icons/plus";
import { useEffect, useState } from "react";
import type { Key } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { registerCommands } from "../shell/commands.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";

/** As many as an account may have. */
const MOST_KEYS = 100;

interface NewKeyButtonProps {
  readonly keys: readonly Key[];
}

export function NewKeyButton({ keys }: NewKeyButtonProps) {
  const [open, setOpen] = useState(false);
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
        title={isFull ? "An account has at most 100 keys: revoke one first" : undefined}
        onClick={() => setOpen(true)}
      >
        New key
      </Button>
      <NewKeyDialog open={open} onOpenChange={setOpen} />
    </>
  );
}
