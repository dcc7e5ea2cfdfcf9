// The table screen: a verdict to be read from across the table, said aloud if wanted, and written for those who do not hear it.
import { chooser, fill, language, ready, word } from "/file/words.js";
import { showChallenge, hideChallenge } from "/file/finish.js";
import { speak, speaking, toggleVoice, voiceOn } from "/file/voice.js";

const role = location.pathname.slice(1);
const at = (id) => document.getElementById(id);
let state = null;
let rounds = [];
let socket = null;
let wait = 300;
let said = "";
let told = "";

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${role}/socket`);
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  socket.onopen = () => {
    wait = 300;
  };
  socket.onclose = () => {
    at("link").textContent = word("screen.lost");
    at("link").className = "link bad";
    setTimeout(connect, wait);
    wait = Math.min(1.6 * wait, 4000);
  };
}

export function order(message) {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify(message));
  }
}

function take(message) {
  if (message.type === "state") {
    state = message;
  } else if (message.type === "history") {
    rounds = message.rounds;
    showHistory();
  } else if (message.type === "refused") {
    at("answer").textContent = `${word(message.why)} ${message.detail ?? ""}`;
    setTimeout(() => {
      at("answer").textContent = "";
    }, 6000);
  }
  show();
}

const seat = (name) => (name ? word(`seat.${name}`) : word("nobody"));
const person = (name) => (state?.names[name] ? `${state.names[name]} (${seat(name)})` : seat(name));
const type = (name) => (name ? word(`type.${name}`) : "?");

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
  showLink();
  showVerdict();
  showCheck();
  showCards();
  showPiles();
  showNotices();
  showOrders();
  showChallenge(state.challenge, { order, seat, type, role, word });
}

function showLink() {
  const { camera, phase } = state;
  const kind = phase === "playing" && !camera.connected ? "bad" : "good";
  at("link").className = `link ${kind}`;
  at("link").textContent = kind === "bad" ? word("screen.nocamera") : word(`phase.${phase}`);
}

// A ruling stands until the next round's first card lies there.
function current() {
  if (state.early) {
    return state.early;
  }
  return state.cards.length ? null : state.last;
}

function showVerdict() {
  const ruling = current();
  const box = at("verdict");
  const early = ruling?.early && !ruling.stands;
  box.className = `verdict ${ruling ? ruling.outcome : "none"}${early ? " early" : ""}${ruling?.review ? " review" : ""}`;
  at("waiting").textContent = ruling ? "" : waiting();
  at("call").textContent = ruling ? headline(ruling) : "";
  at("says").textContent = ruling ? ruling.says[language()] : "";
  at("lead").textContent = ruling ? lead(ruling) : "";
  at("asks").replaceChildren(...(ruling ? [...ruling.asks[language()], ...ruling.notes[language()]] : []).map((text) => element("li", "", text)));
  const mark = ruling ? `${ruling.round}.${ruling.revision}.${ruling.early}.${ruling.stands}` : "";
  if (ruling && mark !== told) {
    told = mark;
    document.body.dataset.shown = JSON.stringify([...JSON.parse(document.body.dataset.shown ?? "[]"), [ruling.round, early, performance.timeOrigin + performance.now(), ruling.outcome]]);
  }
  announce(ruling);
}

function headline(ruling) {
  if (ruling.review) {
    return word("headline.review");
  }
  const winners = Object.keys(ruling.awards);
  if (ruling.outcome === "won" && winners.length) {
    return winners.map((one) => state.names[one] ?? seat(one)).join(" + ");
  }
  return word(`headline.${ruling.outcome}`, { who: seat(ruling.first?.seat) });
}

function due(ruling) {
  const known = !Object.values(ruling.cards).includes(null);
  return ruling.due ? type(ruling.due) : known ? word("silence") : "?";
}

function lead(ruling) {
  const first = ruling.first;
  if (!first?.seat) {
    return ruling.stands ? "" : word("screen.early");
  }
  const parts = [`${seat(first.seat)}: ${type(first.type)}`];
  if (first.lead_ms !== null) {
    parts.push(word("screen.lead", { lead: Math.round(first.lead_ms), error: Math.round(first.lead_sigma_ms ?? 0) }));
  }
  if (!ruling.stands) {
    parts.push(word("screen.early"));
  }
  return parts.join(" · ");
}

// Once for every ruling that is final: to screen readers always, aloud if wanted.
function announce(ruling) {
  if (!ruling || ruling.early) {
    return;
  }
  const key = `${ruling.round}.${ruling.revision}`;
  if (key === said) {
    return;
  }
  const first = said === "" && rounds.length > 1;
  said = key;
  at("spoken").textContent = [ruling.says[language()], ...ruling.asks[language()]].join(" ");
  if (!first) {
    speak(ruling.spoken[language()], language(), (seconds) => order({ do: "spoke", seconds }));
  }
}

function waiting() {
  if (state.phase !== "playing") {
    return word(`phase.${state.phase}`);
  }
  const who = state.waiting.seats.map(seat).join(", ");
  return word(`waiting.${state.waiting.kind}`, { who: who || word("everybody") });
}

function showCards() {
  const boxes = state.cards.map((card) => {
    const box = element("figure", `card ${card.type ?? "unread"}`);
    const picture = element("img");
    picture.alt = "";
    picture.src = `/${role}/card/${card.card}`;
    box.append(picture, element("figcaption", "", `${card.seat ? seat(card.seat) : "?"}: ${card.type ? type(card.type) : word("screen.unread")}`));
    return box;
  });
  const reading = state.noticed.map((card) => {
    const box = element("figure", `card noticed ${card.type}`);
    box.append(element("figcaption", "", `${type(card.type)} ?`));
    return box;
  });
  at("cards").replaceChildren(...boxes, ...reading);
}

// Before the first cards: who was understood. Afterwards nobody needs it.
function showCheck() {
  const asked = state.phase === "playing" && !state.last && !state.cards.length;
  at("check").hidden = !asked;
  const voices = asked ? state.check.map((one) => `${voice(one.who)}: ${one.words.map(type).join(", ")}`) : [];
  if (at("voices").dataset.text !== voices.join("\n")) {
    at("voices").dataset.text = voices.join("\n");
    at("voices").replaceChildren(...voices.map((text) => element("li", "", text)));
  }
  showLearning();
}

// With one microphone the scorer says whose turn it is, and the voices are learnt.
const SEATS = ["north", "east", "south", "west"];

function showLearning() {
  const learnt = state.phase === "playing" ? state.voicing : null;
  at("learn").hidden = role !== "scorer" || !learnt;
  if (at("learn").hidden) {
    return;
  }
  if (!at("learning").childElementCount) {
    at("learning").append(...SEATS.map((one) => {
      const button = element("button");
      button.addEventListener("click", () => order({ do: "voice", seat: state.voicing?.seat === one ? "" : one }));
      return button;
    }));
  }
  [...at("learning").children].forEach((button, n) => {
    const count = learnt.known[SEATS[n]] ?? 0;
    button.textContent = count ? word("check.known", { who: seat(SEATS[n]), count }) : seat(SEATS[n]);
    button.setAttribute("aria-pressed", String(learnt.seat === SEATS[n]));
  });
}

function voice(who) {
  if (who.startsWith("ch")) {
    return word("check.side", { number: Number(who.slice(2)) + 1 });
  }
  return who ? seat(who) : word("check.voice");
}

function showPiles() {
  const boxes = state.standings.map((one) => {
    const box = element("div", `pile${one.place === 1 && one.score ? " best" : ""}`);
    box.append(element("span", "who", person(one.seat)), element("span", "score", one.score), element("span", "draw", word("screen.draw", { count: one.draw })));
    return box;
  });
  if (state.seats.length) {
    const pot = element("div", "pile pot");
    pot.append(element("span", "who", word("screen.pot")), element("span", "score", state.pot ?? 0));
    boxes.push(pot);
  }
  at("piles").replaceChildren(...boxes);
}

// What the hands that took the cards changed is known when the next round's first card lies there: it is told beside that round.
function revised() {
  const ruling = state.last;
  if (!ruling?.revision || !ruling.asks[language()].length || current() === ruling) {
    return [];
  }
  const [says, asks] = [ruling.says[language()], ruling.asks[language()].join(" ")];
  const anew = ruling.decided_by === "table" ? [word("screen.revised", { round: ruling.round, says })] : [];
  return [...anew, word("screen.asked", { round: ruling.round, asks })];
}

function trouble() {
  return state.trouble === "nothing" ? word("trouble.nothing") : state.trouble;
}

function showNotices() {
  const lines = [...revised(), ...state.notices.map((code) => word(`notice.${code}`))];
  const camera = state.camera;
  if (camera.altered?.length) {
    lines.push(word("camera.altered", { what: camera.altered.map((name) => word(`altered.${name}`)).join(", ") }));
  }
  const away = state.players.filter((one) => !one.aligned);
  if (state.phase === "playing" && away.length) {
    lines.push(word("screen.noown", { who: away.map((one) => seat(one.seat)).join(", ") }));
  }
  if (state.unheard.length) {
    lines.push(word("check.unheard", { who: state.unheard.map(seat).join(", ") }));
  }
  if (camera.missing) {
    lines.push(word(`camera.missing.${camera.missing}`));
  }
  if (camera.slowed) {
    lines.push(word("camera.slowed", { rate: camera.rate }));
  }
  if (camera.behind_s > 1) {
    lines.push(word("camera.behind", { seconds: camera.behind_s.toFixed(0) }));
  }
  if (camera.kept === "full" || camera.kept === "error") {
    lines.push(word("disk.media"));
  }
  if (camera.written === false) {
    lines.push(word("disk.record"));
  }
  if (state.trouble) {
    lines.push(trouble());
  }
  if (state.phase === "ended" && state.finished) {
    lines.push(state.winner ? word("screen.winner", { who: seat(state.winner) }) : word("screen.nowinner"));
  }
  const text = lines.join("\n");
  if (at("notices").dataset.text !== text) {
    at("notices").dataset.text = text;
    at("notices").replaceChildren(...lines.map((line) => element("p", "", line)));
  }
}

function showOrders() {
  at("orders").hidden = role !== "scorer";
  at("pause").textContent = word(state?.phase === "paused" ? "order.go_on" : "order.pause");
  at("pause").dataset.do = state?.phase === "paused" ? "go_on" : "pause";
  at("forget").hidden = !state?.learnt;
  const voice = voiceOn();
  at("voice").textContent = word(voice ? "voice.on" : "voice.off");
  at("voice").setAttribute("aria-pressed", String(voice));
  at("voice").classList.toggle("speaking", speaking());
}

function showHistory() {
  at("rounds").hidden = !rounds.length;
  at("history").replaceChildren(...[...rounds].reverse().map((one) => {
    const row = element("tr", `${one.outcome}${one.review ? " review" : ""}`);
    const cards = Object.entries(one.cards).map(([who, what]) => `${seat(who)} ${type(what)}`).join(", ");
    const what = element("td", "", one.says[language()]);
    const line = lead(one);
    if (line) {
      what.append(element("small", "", line));
    }
    for (const question of one.asks[language()]) {
      what.append(element("small", "ask", question));
    }
    const number = element("td");
    if (role === "scorer") {
      const button = element("button", "", String(one.round));
      button.addEventListener("click", () => order({ do: "challenge", round: one.round }));
      number.append(button);
    } else {
      number.textContent = String(one.round);
    }
    row.append(number, element("td", "", cards), element("td", "", due(one)), what);
    return row;
  }));
}

async function showCodes() {
  const box = at("codes");
  box.hidden = !box.hidden;
  if (box.hidden || box.childElementCount) {
    return;
  }
  const codes = await (await fetch("/scorer/codes")).json();
  box.replaceChildren(...codes.map(({ role: whose, address, svg }) => {
    const figure = element("figure");
    const image = element("img");
    image.alt = address;
    image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    figure.append(image, element("figcaption", "", word(`codes.${whose}`)));
    return figure;
  }));
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

await ready;
chooser(at("language"), () => {
  showHistory();
  show();
});
fill();
at("theme").addEventListener("click", theme);
at("voice").addEventListener("click", () => {
  toggleVoice();
  showOrders();
});
at("close").addEventListener("click", () => {
  hideChallenge();
  order({ do: "close" });
});
at("show-codes").addEventListener("click", showCodes);
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => order({ do: button.dataset.do }));
}
connect();
