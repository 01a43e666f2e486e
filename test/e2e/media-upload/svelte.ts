import "../../../src/element/index.ts";
import { mount } from "svelte";
import App from "./app.svelte";

const target = document.getElementById("root");
if (target !== null) mount(App, { target });
