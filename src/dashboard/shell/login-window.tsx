import { useRef } from "react";
import { useAccount } from "../api/queries/account.ts";
import { Dialog } from "../design/dialog.tsx";
import { LoginForm } from "./login-form.tsx";

/** The lazy part of `LoginDialog`. */
export default function LoginWindow({ open }: { readonly open: boolean }) {
  const email = useAccount().data?.email;
  const password = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      required
      open={open}
      onOpenChange={() => undefined}
      initialFocus={password}
      title="Log in again"
      description="Your session has ended. After you log in, you can continue here."
    >
      <LoginForm email={email} passwordRef={password} />
    </Dialog>
  );
}
