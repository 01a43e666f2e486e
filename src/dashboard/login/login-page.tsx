import { useLocation, useSearch } from "wouter";
import { LoginForm } from "../shell/login-form.tsx";
import { nextPath } from "../shell/next-path.ts";
import { Entrance } from "./entrance.tsx";

export default function LoginPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  // A page of its own: its policy may let in what this one's does not.
  const foot = (
    <>
      No account yet? <a href="/dashboard/register">Create one</a>
    </>
  );
  return (
    <Entrance title="Log in" foot={foot}>
      <LoginForm onDone={() => navigate(nextPath(search), { replace: true })} />
    </Entrance>
  );
}
