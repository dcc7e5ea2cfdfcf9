// For streaming: a page without a background, to be laid over a film of the table. The last ruling and the piles, nothing else.
import { language, ready, word } from "/file/words.js";

const at = (id) => document.getElementById(id);
let wait = 300;

function connect() {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/screen/socket`);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    wait = 300;
    if (message.type === "state") {
      show(message);
    }
  };
  socket.onclose = () => {
    setTimeout(connect, wait);
    wait = Math.min(1.6 * wait, 4000);
  };
}

function show(state) {
  const ruling = state.cards.length ? null : state.last;
  at("says").textContent = ruling ? ruling.says[language()] : "";
  at("piles").replaceChildren(...state.standings.map((one) => {
    const box = document.createElement("div");
    box.className = "pile";
    for (const [kind, text] of [["who", state.names?.[one.seat] ?? word(`seat.${one.seat}`)], ["score", one.score]]) {
      const part = document.createElement("span");
      part.className = kind;
      part.textContent = text;
      box.append(part);
    }
    return box;
  }));
}

await ready;
connect();
