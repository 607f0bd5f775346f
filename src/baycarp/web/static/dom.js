// Elements, and the one live region of the page.
const SVG = "http://www.w3.org/2000/svg";
const KEPT = 30; // announcements that stay in the region

export const $ = (id) => document.getElementById(id);

// Settings: attributes; "onclick" and its like are listeners; true is an empty attribute, false and null none.
export function element(name, settings = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(settings)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

export function svg(name, settings = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Read out after all that was announced before.
export function announce(text) {
  $("live").append(element("p", {}, text));
  while ($("live").children.length > KEPT) $("live").firstChild.remove();
}

// The alert at the foot of the page; "" takes it away.
export function alarm(reason) { $("error").textContent = reason; }
