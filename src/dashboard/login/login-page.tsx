import { Link, useLocation, useSearch } from "wouter";
import { LoginForm } from "../shell/login-form.tsx";
import { nextPath } from "../shell/next-path.ts";
import { Entrance } from "./entrance.tsx";

export default function LoginPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const foot = (
    <>
      No account yet? <Link href="/register">Create one</Link>
    </>
  );
  return (
    <Entrance title="Log in" foot={foot}>
      <LoginForm onDone={() => navigate(nextPath(search), { replace: true })} />
    </Entrance>
  );
}
