// The photo finish: the cards as the camera saw them, the sound around the calls with each onset and its error.
import { decimal } from "/file/words.js";

const at = (id) => document.getElementById(id);
let shown = "";

export function hideChallenge() {
  shown = "";
  at("challenge").hidden = true;
}

export async function showChallenge(challenge, tools) {
  const key = challenge ? JSON.stringify(challenge) + document.documentElement.lang : "";
  if (key === shown) {
    return;
  }
  shown = key;
  at("challenge").hidden = !challenge;
  if (challenge) {
    at("challenge").scrollIntoView({ block: "nearest" });
  }
  if (!challenge) {
    return;
  }
  at("finish").textContent = tools.word("finish.title", { round: challenge.round });
  shots(challenge, tools);
  choices(challenge, tools);
  const answer = await fetch(`/${tools.role}/sound/${challenge.round}`);
  at("wave").hidden = !answer.ok;
  if (answer.ok) {
    wave(await answer.json(), tools);
  }
}

function shots(challenge, { role, seat, type, word }) {
  at("shots").replaceChildren(...challenge.cards.map((card) => {
    const figure = document.createElement("figure");
    const image = document.createElement("img");
    image.alt = "";
    image.src = `/${role}/card/${card.card}`;
    const caption = document.createElement("figcaption");
    const sure = card.type ? word("finish.sure", { percent: Math.round(100 * card.confidence) }) : word("screen.unread");
    caption.textContent = `${seat(card.seat)}: ${card.type ? type(card.type) : "?"} · ${sure} · ${decimal(card.time_s, 2)}\u00a0s`;
    figure.append(image, caption);
    return figure;
  }));
}

function choices(challenge, { role, order, seat, type, word }) {
  at("choices").replaceChildren(...challenge.choices.map((one, index) => {
    const item = document.createElement("li");
    const about = { who: one.seat ? seat(one.seat) : "", was: one.was ? seat(one.was) : "", what: one.type ? type(one.type) : "" };
    const text = word(`choice.${one.kind}${one.was ? ".was" : ""}`, about);
    const button = document.createElement(role === "scorer" ? "button" : "span");
    button.textContent = text;
    if (role === "scorer") {
      button.addEventListener("click", () => order({ do: "answer", choice: index + 1 }));
    }
    item.append(button);
    return item;
  }));
}

const COLOURS = { north: "#e07a1f", south: "#2f7fd1", east: "#2e9e5b", west: "#a155c9" };

// In the page's own pixels: a line of labels, how many of them, and the sound of one microphone.
const LINE = 20;
const LINES = 4;
const ROW = 64;

function wave(sound, { seat, type, word }) {
  const canvas = at("wave");
  const scale = devicePixelRatio;
  const labels = LINE * Math.min(LINES, sound.calls.length) * scale;
  canvas.width = Math.max(200, canvas.clientWidth) * scale;
  canvas.height = labels + ROW * sound.channels.length * scale;
  const paint = canvas.getContext("2d");
  const { width, height } = canvas;
  const style = getComputedStyle(document.body);
  const x = (time) => ((time - sound.from_s) / (sound.to_s - sound.from_s)) * width;
  paint.clearRect(0, 0, width, height);
  const row = (height - labels) / sound.channels.length;
  const top = Math.max(0.01, ...sound.channels.flat());
  sound.channels.forEach((peaks, channel) => {
    const middle = labels + row * (channel + 0.5);
    paint.fillStyle = style.color;
    peaks.forEach((peak, i) => {
      const high = (0.42 * row * peak) / top;
      paint.fillRect((i / peaks.length) * width, middle - high, width / peaks.length, 2 * high + 1);
    });
  });
  paint.font = `bold ${Math.round(15 * scale)}px system-ui, sans-serif`;
  const words = [];
  sound.calls.forEach((call, index) => {
    const at_x = x(call.onset_s);
    const begin = LINE * (index % LINES) * scale;
    const error = Math.max(scale, (call.sigma_ms / 1000 / (sound.to_s - sound.from_s)) * width);
    paint.fillStyle = COLOURS[call.seat] ?? "#888";
    paint.globalAlpha = 0.3;
    paint.fillRect(at_x - 2 * error, begin, 4 * error, height - begin);
    paint.globalAlpha = 1;
    paint.fillRect(at_x - scale, begin, 2 * scale, height - begin);
    const text = `${seat(call.seat)}: ${type(call.type)}`;
    const gap = 6 * scale;
    const left = at_x + gap + paint.measureText(text).width > width;
    paint.textAlign = left ? "right" : "left";
    paint.fillText(text, left ? at_x - gap : at_x + gap, begin + 15 * scale);
    words.push(`${text} ${word("finish.at", { time: decimal(call.onset_s, 3), error: decimal(call.sigma_ms, 1) })}`);
  });
  canvas.setAttribute("aria-label", words.join("; "));
}
