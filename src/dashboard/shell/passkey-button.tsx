import { hasPasskeys } from "../api/queries/passkeys.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import styles from "./login-form.module.css";

interface PasskeyButtonProps {
  readonly label: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onClick: () => void;
}

/** Asks for a passkey. Browsers without passkeys show nothing. */
export function PasskeyButton({ label, busy, error, onClick }: PasskeyButtonProps) {
  if (!hasPasskeys()) return null;
  // This is the browser's own error when the user closes its window.
  const isClosed = error instanceof Error && error.name === "NotAllowedError";
  return (
    <>
      <Button size="large" busy={busy} onClick={onClick}>
        {label}
      </Button>
      {error !== null && !isClosed && (
        <p role="alert" className={styles.error}>
          {describeError(error).message}
        </p>
      )}
    </>
  );
}
