// Every sentence that people see comes from the server's one catalogue, in their own language.
const KEPT = "referee-language";
let all = {};
let chosen = "en";

export const languages = () => Object.keys(all);
export const language = () => chosen;

/** A number with so many decimals, as the language writes it. */
export const decimal = (value, digits) => value.toLocaleString(chosen, { minimumFractionDigits: digits, maximumFractionDigits: digits });

export function word(key, values = {}) {
  const text = (all[chosen] && all[chosen][key]) ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

export function fill(root = document) {
  document.documentElement.lang = chosen;
  for (const element of root.querySelectorAll("[data-word]")) {
    element.textContent = word(element.dataset.word);
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", word(element.dataset.label));
  }
}

export function choose(name) {
  if (!all[name]) {
    return;
  }
  chosen = name;
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // private windows keep nothing
  }
  fill();
}

export function chooser(select, changed = () => {}) {
  const names = { en: "English", de: "Deutsch", es: "Español" };
  for (const name of languages()) {
    select.add(new Option(names[name] ?? name, name, false, name === chosen));
  }
  select.addEventListener("change", () => {
    choose(select.value);
    changed();
  });
}

async function load() {
  all = await (await fetch("/words")).json();
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // as above
  }
  const wanted = [kept, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  chosen = wanted.find((tag) => tag && all[tag]) ?? "en";
  fill();
}

export const ready = load();
