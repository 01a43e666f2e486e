import { Link, useLocation, useSearch } from "wouter";
import { useRegistrationMode } from "../api/queries/account-changes.ts";
import { LoginForm } from "../shell/login-form.tsx";
import { nextPath } from "../shell/next-path.ts";
import { Entrance } from "./entrance.tsx";

export default function LoginPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const mail = useRegistrationMode().data?.mail;
  // A full page load, because the registration page's Content-Security-Policy also allows Turnstile.
  const foot = (
    <>
      No account yet? <a href="/dashboard/register">Create one</a>
      {mail === true && (
        <>
          {" · "}
          <Link href="/forgot">Forgot password?</Link>
        </>
      )}
    </>
  );
  return (
    <Entrance title="Log in" foot={foot}>
      <LoginForm onDone={() => navigate(nextPath(search), { replace: true })} />
    </Entrance>
  );
}
