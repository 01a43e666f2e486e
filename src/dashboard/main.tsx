import "./design/tokens.css";
import "./design/base.css";
import "./frame.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadApp } from "./app.tsx";
import { BASE } from "./shell/base.ts";
import { withPatience } from "./shell/patience.ts";

const KEY = "reloaded-for-chunk";

/**
 * Reloads the page once when a chunk fails to load because a deployment has replaced the page. Otherwise the page stays, because it may have
 * uploads in progress: a chunk that was lost on the network is loaded again. The import's caller gets the error in any case.
 */
function reloadOnLostChunk(): void {
  const script = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";
  addEventListener("vite:preloadError", () => {
    if (sessionStorage.getItem(KEY) !== null) return;
    const isReplaced = fetch(location.href, { cache: "no-store" }).then(
      async (answer) => answer.ok && !(await answer.text()).includes(script),
      () => false,
    );
    void isReplaced.then((is) => {
      if (!is) return;
      sessionStorage.setItem(KEY, "yes");
      location.reload();
    });
  });
  // A successful load allows a reload for the next deployment.
  addEventListener("load", () => setTimeout(() => sessionStorage.removeItem(KEY), 10_000));
}

reloadOnLostChunk();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
const show = () =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
void withPatience(loadApp(location.pathname.slice(BASE.length), location.search)).then(show);
