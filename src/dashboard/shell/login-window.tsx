import { useAccount } from "../api/queries/account.ts";
import { Dialog } from "../design/dialog.tsx";
import { LoginForm } from "./login-form.tsx";

/** What `LoginDialog` loads. */
export default function LoginWindow({ open }: { readonly open: boolean }) {
  const email = useAccount().data?.email;
  return (
    <Dialog
      required
      open={open}
      onOpenChange={() => undefined}
      title="Log in again"
      description="Your session has ended. The page stays as it is."
    >
      <LoginForm email={email} />
    </Dialog>
  );
}
