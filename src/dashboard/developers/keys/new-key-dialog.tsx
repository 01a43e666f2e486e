import { useEffect } from "react";
import type { NewKey } from "../../../client/index.ts";
import { SecretDialog } from "../../design/secret-dialog.tsx";
import { ShownKey } from "../../shell/key-tools/shown-key.tsx";
import { NewKeyForm } from "./new-key-form.tsx";
import { canUpload } from "./scopes.ts";

interface NewKeyDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The lazy dialog that asks for a key's name and limits, then shows the key. */
export default function NewKeyDialog(props: NewKeyDialogProps) {
  return (
    <SecretDialog<NewKey>
      {...props}
      title="New key"
      description="Make a key for each program, with no more rights than the program needs."
      form={(onMade, onCancel) => <NewKeyForm onMade={onMade} onCancel={onCancel} />}
      show={({ name, key, scopes }) => ({
        title: `Key “${name}” created`,
        action: "I saved the key",
        body: (
          <>
            <KeepOpen />
            <ShownKey secret={key} takesFocus canUpload={canUpload(scopes)} />
          </>
        ),
      })}
    />
  );
}

/**
 * Keeps the page while it shows the key, which cannot be shown again. The browser asks before it closes or reloads the page, and lets the page
 * hold back one Back for each action of the user.
 */
function KeepOpen(): null {
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    globalThis.navigation?.addEventListener(
      "navigate",
      (event) => {
        if (event.navigationType === "traverse" && event.cancelable) event.preventDefault();
      },
      { signal },
    );
    return () => abort.abort();
  }, []);
  return null;
}
