import { lazy } from "react";
import { Route, Switch } from "wouter";

const LibraryPage = lazy(() => import("./library/library-page.tsx"));
const UsagePage = lazy(() => import("./usage/usage-page.tsx"));
const LogPage = lazy(() => import("./usage/log-page.tsx"));
const KeysPage = lazy(() => import("./keys/keys-page.tsx"));
const KeyPage = lazy(() => import("./keys/key-page.tsx"));
const SettingsPage = lazy(() => import("./settings/settings-page.tsx"));
const AccountPage = lazy(() => import("./settings/account-page.tsx"));
const WelcomePage = lazy(() => import("./welcome/welcome-page.tsx"));
const NotFoundPage = lazy(() => import("./shell/not-found-page.tsx"));
const LoginPage = lazy(() => import("./login/login-page.tsx"));
const RegisterPage = lazy(() => import("./login/register-page.tsx"));

/** The pages without the shell: for those who are not logged in. */
export function EntranceRoutes() {
  return (
    <Switch>
      <Route path="/login" component={LoginPage} />
      <Route path="/register" component={RegisterPage} />
    </Switch>
  );
}

/** The pages in the shell. A file's page is the library's, which stays as it is under it. */
export function ShellRoutes() {
  return (
    <Switch>
      <Route path={/^\/(?:library|trash)(?:\/(?<id>[^/]+))?$/}>
        <LibraryPage />
      </Route>
      <Route path="/usage" component={UsagePage} />
      <Route path="/usage/log" component={LogPage} />
      <Route path="/keys" component={KeysPage} />
      <Route path="/keys/:id" component={KeyPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/settings/account" component={AccountPage} />
      <Route path="/welcome" component={WelcomePage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}
