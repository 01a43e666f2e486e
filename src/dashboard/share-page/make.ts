type Attributes = Readonly<Record<string, string | undefined>>;

/** Makes an element without markup, which the page's policy forbids. Attributes that are undefined are left out. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Makes a button with an icon and a name for screen readers, which is also its tooltip. */
export function makeIconButton(label: string, icon: Element, onClick: () => void, className = ""): HTMLButtonElement {
  const button = make(
    "button",
    { type: "button", class: `tool ${className}`, "aria-label": label, title: label },
    icon,
  );
  button.addEventListener("click", onClick);
  return button;
}

/** lucide's icons: a circle, and the data of a path. */
const ICONS = {
  close: "M18 6 6 18M6 6l12 12",
  previous: "m15 18-6-6 6-6",
  next: "m9 18 6-6-6-6",
  download: "M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4m4-5 5 5 5-5",
  link: "M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71",
  zoom: "M8 3H5a2 2 0 0 0-2 2v3M21 8V5a2 2 0 0 0-2-2h-3M3 16v3a2 2 0 0 0 2 2h3M16 21h3a2 2 0 0 0 2-2v-3",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41",
  moon: "M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401",
  missing:
    "M2 2l20 20M10.41 10.41a2 2 0 1 1-2.83-2.83M13.5 13.5 6 21M18 12l3 3M3.59 3.59A2 2 0 0 0 3 5v14a2 2 0 0 0 2 2h14c.55 0 1.05-.22 1.41-.59M21 15V5a2 2 0 0 0-2-2H9",
} as const;

const SVG = "http://www.w3.org/2000/svg";

export function makeIcon(name: keyof typeof ICONS): SVGElement {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  const icon = document.createElementNS(SVG, "svg");
  setAttributes(icon, { viewBox: "0 0 24 24", "aria-hidden": "true" });
  icon.append(path);
  return icon;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
}
