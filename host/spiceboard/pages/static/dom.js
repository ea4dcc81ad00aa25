// Small helpers to build HTML and SVG; no markup is ever made from text.

const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export function h(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

// Put new children into an element; what had the focus keeps it where a child of the same
// `data-key` is there again.
export function fill(element, ...children) {
  const focused = document.activeElement;
  const key = element.contains(focused) ? focused.dataset && focused.dataset.key : null;
  element.replaceChildren(...children.flat(3).filter((child) => child));
  if (key) {
    const again = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) again.focus();
  }
}

// [[text, style], ...] as spans.
export function pieces(list) {
  return list.map(([text, style]) => (style ? h("span", { class: `w-${style}`, text }) : text));
}

export function button(text, action, attributes) {
  return h("button", { type: "button", onclick: action, ...attributes }, text);
}
