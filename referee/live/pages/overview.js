// All tables at once: who plays, how it stands, who leads; a scorer starts rounds and says what the rulings leave open.
import { chooser, fill, language, ready, word } from "/file/words.js";

const role = location.pathname.split("/")[1];
const at = (id) => document.getElementById(id);
let state = null;
let socket = null;
let wait = 300;
let shown = "";

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${role}/overview/socket`);
  socket.onopen = () => {
    wait = 300;
    at("link").textContent = "";
  };
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  socket.onclose = () => {
    at("link").textContent = word("screen.lost");
    at("link").className = "link bad";
    setTimeout(connect, wait);
    wait = Math.min(1.6 * wait, 4000);
  };
}

function order(message) {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify(message));
  }
}

function take(message) {
  if (message.type === "overview") {
    state = message;
    show();
  } else if (message.type === "refused") {
    at("answer").textContent = word(message.why);
    setTimeout(() => {
      at("answer").textContent = "";
    }, 6000);
  }
}

function element(tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) {
    made.className = kind;
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

function show() {
  if (!state) {
    return;
  }
  at("tables").replaceChildren(...state.tables.map(table));
  const tournament = state.tournament;
  at("tournament").hidden = !tournament;
  if (tournament) {
    showTournament(tournament);
  }
}

function table(one) {
  const box = element("article", `one is-${one.phase}`);
  const head = element("h3", "", one.name);
  const gone = one.phase === "playing" && !one.connected;
  head.append(element("small", gone ? "bad" : "", gone ? word("screen.nocamera") : word(`phase.${one.phase}`)));
  box.append(head);
  const seats = one.standings.length ? one.standings : Object.keys(one.names).map((seat) => ({ seat, score: 0 }));
  const list = element("ul", "players");
  for (const { seat, score } of [...seats].sort((a, b) => b.score - a.score)) {
    const line = element("li");
    line.append(element("span", "who", one.names[seat] ? `${one.names[seat]} (${word(`seat.${seat}`)})` : word(`seat.${seat}`)), element("span", "score", score));
    list.append(line);
  }
  box.append(list);
  if (one.says) {
    box.append(element("p", "", `${word("screen.round")} ${one.rounds}: ${one.says[language()]}`));
  }
  if (one.checks) {
    box.append(element("p", "warn", word("overview.checks", { count: one.checks })));
  }
  if (one.trouble && one.trouble !== "nothing") {
    box.append(element("p", "bad", one.trouble));
  }
  return box;
}

function showTournament(tournament) {
  at("round").textContent = tournament.round ? word("overview.round", { round: tournament.round }) : word("overview.none");
  at("bye").textContent = tournament.bye ? word("overview.bye", { who: tournament.bye }) : "";
  at("start").hidden = role !== "scorer" || !tournament.over;
  const text = JSON.stringify([tournament.round, tournament.pairings, language()]);
  if (text !== shown) { // a result that is being chosen is not taken away
    shown = text;
    at("pairings").replaceChildren(...tournament.pairings.map(pairing));
  }
  at("standings").replaceChildren(...tournament.standings.map((one) => {
    const row = element("tr");
    row.append(...[one.place, one.name, one.points, one.opposition, one.games].map((value) => element("td", "", value)));
    return row;
  }));
}

function pairing(one, number) {
  const item = element("li");
  item.append(element("strong", "", one.players.join(" – ")), element("span", "", ` ${one.table || word("overview.wait")} `));
  const done = Object.keys(one.places).length > 0;
  if (done) {
    const best = one.players.filter((name) => one.places[name] === 1);
    item.append(element("span", "good", best.length === one.players.length ? word("overview.draw") : word("screen.winner", { who: best.join(" + ") })));
  }
  if (one.open) {
    item.append(element("p", "warn", word(`overview.open.${one.open}`)));
  }
  if (role === "scorer") {
    item.append(done ? amend(one, number) : choices(one, number));
  }
  return item;
}

function amend(one, number) {
  const button = element("button", "", word("overview.amend"));
  button.addEventListener("click", () => button.replaceWith(choices(one, number)));
  return button;
}

// Two players: who won, or a draw. More: the places are tapped in order.
function choices(one, number) {
  const box = element("div", "buttons");
  const left = [...one.players];
  const order_ = [];
  const ask = () => {
    box.replaceChildren(element("span", "", word("overview.place.of", { place: order_.length + 1 })), ...left.map((name) => {
      const button = element("button", "", name);
      button.addEventListener("click", () => {
        left.splice(left.indexOf(name), 1);
        order_.push([name]);
        if (left.length > 1) {
          ask();
        } else {
          order({ do: "result", number, order: [...order_, ...left.map((last) => [last])] });
        }
      });
      return button;
    }));
    if (!order_.length) {
      const draw = element("button", "", word("overview.draw"));
      draw.addEventListener("click", () => order({ do: "result", number, order: [one.players] }));
      box.append(draw);
    }
  };
  ask();
  return box;
}

await ready;
chooser(at("language"), show);
fill();
at("start").addEventListener("click", () => order({ do: "start_round" }));
connect();
