import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./design/tokens.css";
import "./design/base.css";
import { reloadOnLostChunk } from "./shell/reload-on-lost-chunk.ts";

reloadOnLostChunk();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
