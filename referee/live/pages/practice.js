// Practice for one: cards appear after a pause of uncertain length; the call's onset is measured on the microphone's own clock.
import { chooser, fill, ready, word } from "/file/words.js";
import { Microphone, RAW, readBack } from "/file/microphone.js";
import { Link, SOUND } from "/file/link.js";

const at = (id) => document.getElementById(id);
const session = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
const SIGNS = { rock: "✊", paper: "✋", scissors: "✌" };
const results = [];
let link = null;
let microphone = null;
let running = false;

async function start() {
  if (running) {
    running = false;
    at("start").textContent = word("practice.start");
    return;
  }
  at("trouble").textContent = "";
  try {
    if (!link) {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: { ...RAW, channelCount: { ideal: 1 } } });
      microphone = new Microphone(stream, (first, samples) => {
        link?.send(SOUND, true, first, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
      });
      await microphone.open();
      const sound = readBack(microphone.track);
      link = new Link("/player/practice/socket", { session, seat: "south", rate: microphone.rate, channels: microphone.channels, sound }, heard);
    }
    running = true;
    at("start").textContent = word("practice.stop");
    next(1500);
  } catch (error) {
    const known = { NotAllowedError: "player.denied", NotFoundError: "player.none" };
    at("trouble").textContent = word(known[error?.name] ?? "camera.failed", { why: String(error?.message ?? error) });
  }
}

function next(wait) {
  setTimeout(() => {
    if (running && link.open) {
      link.say({ do: "deal" });
    } else if (running) {
      next(300);
    }
  }, wait + 1500 * Math.random());
}

function heard(message) {
  if (message.type === "dealt") {
    deal(message.cards);
  } else if (message.type === "result") {
    tell(message);
  } else if (message.type === "lost") {
    at("trouble").textContent = running ? word("player.lost") : "";
  } else if (message.type === "ready") {
    at("trouble").textContent = "";
  }
}

function deal(cards) {
  at("told").textContent = "";
  at("more").textContent = "";
  requestAnimationFrame(() => {
    at("cards").replaceChildren(...cards.map((card) => {
      const face = document.createElement("span");
      face.className = `face ${card}`;
      face.textContent = SIGNS[card];
      face.setAttribute("aria-label", word(`type.${card}`));
      return face;
    }));
    // What is drawn now is seen with the next frame.
    requestAnimationFrame((now) => link.say({ do: "shown", time_s: (now - microphone.zero()) / 1000 }));
  });
}

function tell(result) {
  results.push(result);
  at("cards").replaceChildren();
  const due = result.due ? word(`type.${result.due}`) : word("silence");
  const kind = result.early ? "early" : result.right ? "right" : result.called ? "wrong" : "missed";
  at("told").textContent = result.reaction_ms === null ? word(`practice.${kind}`) : `${Math.round(result.reaction_ms)} ms`;
  at("told").className = `call ${result.right && !result.early ? "good" : "bad"}`;
  at("more").textContent = word(`practice.${kind}.more`, { due, called: result.called ? word(`type.${result.called}`) : "" });
  const times = results.filter((one) => one.right && !one.early && one.reaction_ms !== null).map((one) => one.reaction_ms).sort((a, b) => a - b);
  const right = results.filter((one) => one.right && !one.early).length;
  const median = times.length ? Math.round(times[Math.floor(times.length / 2)]) : "–";
  at("sum").textContent = word("practice.sum", { right, count: results.length, median, best: times.length ? Math.round(times[0]) : "–" });
  next(1200);
}

await ready;
chooser(at("language"));
fill();
at("start").addEventListener("click", start);
