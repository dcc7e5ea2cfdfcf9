// A player's own phone as the microphone of that player's seat.
import { chooser, decimal, fill, language, ready, word } from "/file/words.js";
import { Microphone, RAW, readBack } from "/file/microphone.js";
import { Link, SOUND } from "/file/link.js";

const at = (id) => document.getElementById(id);
const session = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
let link = null;
let microphone = null;
let seat = "";
let state = null;
let lost = false;

async function join(wanted) {
  at("trouble").textContent = "";
  try {
    seat = wanted;
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { ...RAW, channelCount: { ideal: 1 } } });
    microphone = new Microphone(stream, (first, samples) => {
      link?.send(SOUND, true, first, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    });
    await microphone.open();
    link = new Link("/player/socket", {
      session,
      seat,
      rate: microphone.rate,
      channels: microphone.channels,
      sound: readBack(microphone.track),
    }, heard);
    awake();
  } catch (error) {
    const known = { NotAllowedError: "player.denied", NotFoundError: "player.none" };
    at("trouble").textContent = word(known[error?.name] ?? "camera.failed", { why: String(error?.message ?? error) });
    leave();
  }
  show();
}

async function awake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // it works without, as long as somebody touches the phone now and then
  }
}

function leave() {
  link?.close();
  microphone?.close();
  link = microphone = null;
  show();
}

function heard(message) {
  lost = message.type === "lost";
  if (message.type === "unranked") {
    at("trouble").textContent = word("player.unranked", { what: message.altered.map((name) => word(`altered.${name}`)).join(", ") });
    leave();
  } else if (message.type === "taken") {
    at("trouble").textContent = word("player.taken");
    leave();
  } else if (message.type === "state") {
    state = message;
  }
  show();
}

function show() {
  at("choose").hidden = link !== null;
  at("joined").hidden = link === null;
  at("seat").textContent = seat ? word(`seat.${seat}`) : "";
  const told = state?.early ?? state?.last;
  at("verdict").textContent = link && told ? told.says[language()] : "";
  at("state").replaceChildren(...lines().map(([kind, text]) => {
    const item = document.createElement("li");
    item.className = kind;
    item.textContent = text;
    return item;
  }));
}

function lines() {
  const mine = state?.players?.find((one) => one.seat === seat);
  const heard = state?.check?.find((one) => one.who === seat);
  const out = [lost ? ["bad", word("player.lost")] : ["good", word("camera.connected")]];
  if (mine?.altered.length) {
    out.push(["bad", word("camera.altered", { what: mine.altered.map((name) => word(`altered.${name}`)).join(", ") })]);
  }
  if (heard) {
    out.push(["good", word("check.heard", { who: word(`seat.${seat}`), words: heard.words.map((kind) => word(`type.${kind}`)).join(", ") })]);
  } else {
    out.push(["warn", word("check.say")]);
  }
  if (mine?.aligned) {
    out.push(["good", word("player.aligned", { error: decimal(mine.error_ms, 1) })]);
  } else {
    out.push(["warn", word("player.aligning")]);
  }
  return out;
}

await ready;
chooser(at("language"), show);
fill();
for (const button of document.querySelectorAll("[data-seat]")) {
  button.addEventListener("click", () => join(button.dataset.seat));
}
at("leave").addEventListener("click", leave);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && link && awake());
setInterval(() => {
  at("level").value = microphone?.level ?? 0;
}, 100);
