import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadApp } from "./app.tsx";
import "./design/tokens.css";
import "./design/base.css";
import { BASE } from "./shell/base.ts";
import { reloadOnLostChunk } from "./shell/reload-on-lost-chunk.ts";

/** How long nothing is shown, for the whole page to be shown at once; then what is there is. */
const PATIENCE_MS = 150;

reloadOnLostChunk();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
const show = () =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
void Promise.race([
  loadApp(location.pathname.slice(BASE.length), location.search),
  new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
]).then(show);
