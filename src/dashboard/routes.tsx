import { Route, Switch } from "wouter";
import { lazyPart } from "./design/lazy-part.ts";

const LibraryPage = lazyPart(() => import("./library/library-page.tsx"));
const UsagePage = lazyPart(() => import("./usage/usage-page.tsx"));
const LogPage = lazyPart(() => import("./usage/log-page.tsx"));
const KeysPage = lazyPart(() => import("./keys/keys-page.tsx"));
const KeyPage = lazyPart(() => import("./keys/key-page.tsx"));
const SettingsPage = lazyPart(() => import("./settings/settings-page.tsx"));
const AccountPage = lazyPart(() => import("./settings/account-page.tsx"));
const WelcomePage = lazyPart(() => import("./welcome/welcome-page.tsx"));
const NotFoundPage = lazyPart(() => import("./shell/not-found-page.tsx"));
const LoginPage = lazyPart(() => import("./login/login-page.tsx"));
const RegisterPage = lazyPart(() => import("./login/register-page.tsx"));

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
