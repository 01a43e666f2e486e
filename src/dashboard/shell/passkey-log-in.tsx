import { useLogInByPasskey } from "../api/queries/passkeys.ts";
import { PasskeyButton } from "./passkey-button.tsx";

/** The lazy part of `LoginForm`. */
export default function PasskeyLogIn({ onDone }: { readonly onDone: (() => void) | undefined }) {
  const logIn = useLogInByPasskey();
  return (
    <PasskeyButton
      label="Use a passkey"
      busy={logIn.isPending}
      error={logIn.error}
      onClick={() => logIn.mutate(undefined, { onSuccess: () => onDone?.() })}
    />
  );
}
