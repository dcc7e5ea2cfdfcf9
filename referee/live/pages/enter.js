// The key stands in the address's fragment, which is never sent. It is exchanged for a cookie, and taken out of the address.
import { ready, word } from "/file/words.js";

const say = document.getElementById("say");
const form = document.getElementById("form");

// What may follow the key after a slash, and whose it is.
const PLACES = { overlay: "screen", practice: "player" };

async function enter(key) {
  say.textContent = word("enter.wait");
  let answer;
  try {
    answer = await fetch("/enter", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key }),
    });
  } catch {
    say.textContent = word("enter.unreachable");
    return;
  }
  if (answer.ok) {
    const { role } = await answer.json();
    location.replace(PLACES[place] === role ? `/${role}/${place}` : `/${role}`);
    return;
  }
  say.textContent = word(answer.status === 429 ? "enter.slow" : "enter.wrong");
  form.hidden = false;
}

await ready;
const [key, place] = decodeURIComponent(location.hash.slice(1)).split("/");
history.replaceState(null, "", "/");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(document.getElementById("key").value.trim().replace(/^.*#/, ""));
});
if (key) {
  enter(key);
} else {
  say.textContent = word("enter.none");
  form.hidden = false;
}
