import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, loadApp } from "./app.tsx";
import "./design/tokens.css";
import "./design/base.css";
import { BASE } from "./shell/base.ts";
import { withPatience } from "./shell/patience.ts";
import { reloadOnLostChunk } from "./shell/reload-on-lost-chunk.ts";

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
