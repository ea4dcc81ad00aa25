// Keys come in the address's fragment, which is sent to nobody, and are kept on this device.

function fragment() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  return parts;
}

const found = fragment();
const PLACE = location.pathname === "/seat" ? "seat-key" : "table-key";
if (found.get("key")) localStorage.setItem(PLACE, found.get("key"));

export const invitation = found.get("join");

export function key() {
  return localStorage.getItem(PLACE) || "";
}

export function keep(value) {
  if (value) localStorage.setItem(PLACE, value);
  else localStorage.removeItem(PLACE);
}
