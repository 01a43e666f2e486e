import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import type { Reauthenticated, Reauthentication } from "../../client/types.ts";
import { connection } from "../api/client.ts";
import { endProof } from "../api/proof-store.ts";
import { useAccount } from "../api/queries/account.ts";
import { useProveByPasskey } from "../api/queries/passkeys.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { PasswordField } from "../design/password-field.tsx";
import { fieldErrors } from "./field-errors.ts";
import styles from "./login-form.module.css";
import { PasskeyButton } from "./passkey-button.tsx";

/** The lazy part of `ProofDialog`. */
export default function ProofWindow({ open }: { readonly open: boolean }) {
  const email = useAccount().data?.email;
  const prove = useProve();
  const passkey = useProveByPasskey();
  const [password, setPassword] = useState("");
  const { fields, message } = fieldErrors(prove.error, ["password"]);
  const end = (isProven: boolean) => {
    setPassword("");
    prove.reset();
    passkey.reset();
    endProof(isProven);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!prove.isPending) prove.mutate({ password }, { onSuccess: () => end(true) });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={() => end(false)}
      title="Confirm that it is you"
      description="You logged in more than 15 minutes ago. This change needs your password or a passkey."
    >
      <form className={styles.form} onSubmit={submit}>
        {/* Password managers need the user name. */}
        <input
          className="hidden-text"
          name="username"
          autoComplete="username"
          value={email ?? ""}
          readOnly
          aria-hidden
          tabIndex={-1}
        />
        <PasswordField
          label="Password"
          name="password"
          required
          maxLength={256}
          value={password}
          error={fields.password ?? message}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" tone="main" size="large" busy={prove.isPending} disabled={password === ""}>
          Confirm
        </Button>
        <PasskeyButton
          label="Confirm with a passkey"
          busy={passkey.isPending}
          error={passkey.error}
          onClick={() => passkey.mutate(undefined, { onSuccess: () => end(true) })}
        />
      </form>
    </Dialog>
  );
}

/** Proves that the user is the account's owner, for changes that a stolen session must not make. */
function useProve() {
  return useMutation({
    mutationFn: (body: Reauthentication) => connection.call<Reauthenticated>("POST", "/auth/reauthenticate", { body }),
  });
}
