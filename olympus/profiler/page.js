/* SPDX-License-Identifier: Apache-2.0 */
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("timeline"), tip = document.getElementById("tip");
const context = canvas.getContext("2d"), HEIGHT = 22, LABELS = 150, AXIS = 22;
const colours = [...document.querySelectorAll(".key i")].map(i => getComputedStyle(i).backgroundColor);
const quiet = [...document.querySelectorAll(".key")].findIndex(key => key.textContent === "idle");
const end = data.spans.reduce((most, s) => Math.max(most, s[2] + s[3]), 1);
let from = 0, to = end, held = null;
if (data.left) document.getElementById("left").textContent = `${data.left} of the shortest spans are left out here.`;

function timeText(us) {
  return us >= 1e6 ? (us / 1e6).toFixed(3) + " s" : us >= 1e3 ? (us / 1e3).toFixed(3) + " ms" : us.toFixed(2) + " us";
}
function style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name); }
function place(us) { return LABELS + (us - from) / (to - from) * (canvas.clientWidth - LABELS); }
function time(x) { return from + (x - LABELS) / (canvas.clientWidth - LABELS) * (to - from); }

function draw() {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = AXIS + HEIGHT * data.rows.length + 4;
  canvas.style.height = height + "px";
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  const front = style("--front"), soft = style("--soft"), line = style("--line");
  const step = 10 ** Math.floor(Math.log10((to - from) / 4)), each = (to - from) / step > 16 ? 5 * step : 2 * step;
  for (let t = Math.ceil(from / each) * each; t <= to; t += each) {
    const x = place(t);
    context.fillStyle = line;
    context.fillRect(x, AXIS - 4, 1, height);
    context.fillStyle = soft;
    context.fillText(timeText(t), x + 3, AXIS / 2);
  }
  const last = data.rows.map(() => -1);  // pixels that are filled already: of thousands in one pixel one is drawn
  for (const [row, kind, start, took] of data.spans) {
    if (start > to || start + took < from) continue;
    const x = Math.max(place(start), LABELS), w = Math.max(place(start + took) - x, 0.6);
    if (w < 1 && last[row] === Math.floor(x)) continue;
    if (w < 1) last[row] = Math.floor(x);
    context.fillStyle = colours[kind];
    context.fillRect(x, AXIS + row * HEIGHT + 2, w, HEIGHT - 4);
  }
  for (const [row, kind, start, took, text] of data.spans) {
    const x = Math.max(place(start), LABELS), w = Math.min(place(start + took), width) - x;
    if (w < 60) continue;
    context.save();
    context.beginPath();
    context.rect(x, AXIS + row * HEIGHT, w - 4, HEIGHT);
    context.clip();
    context.fillStyle = kind === quiet ? soft : "#fff";
    if (!data.spans.some(s => s[0] === row && s[3] < took && s[2] <= time(x + 30) && s[2] + s[3] >= time(x + 3)))
      context.fillText(data.texts[text].split("\n")[0], x + 4, AXIS + row * HEIGHT + HEIGHT / 2);
    context.restore();
  }
  context.fillStyle = style("--back");
  context.fillRect(0, 0, LABELS, height);
  context.fillStyle = front;
  data.rows.forEach((title, row) => context.fillText(title, 6, AXIS + row * HEIGHT + HEIGHT / 2, LABELS - 12));
}
function at(x, y) {
  const row = Math.floor((y - AXIS) / HEIGHT), t = time(x), slack = (to - from) / (canvas.clientWidth - LABELS);
  let best = null;
  for (const s of data.spans)  // the longest first: the last that fits is the innermost
    if (s[0] === row && s[2] - slack <= t && s[2] + s[3] + slack >= t) best = s;
  return best;
}
canvas.addEventListener("mousemove", event => {
  if (held) {
    const moved = time(held.x) - time(event.offsetX), wide = held.to - held.from;
    from = Math.max(0, Math.min(end - wide, held.from + moved));
    to = from + wide;
    draw();
    return;
  }
  const found = event.offsetX > LABELS ? at(event.offsetX, event.offsetY) : null;
  tip.hidden = !found;
  if (!found) return;
  const [name, ...more] = data.texts[found[4]].split("\n");
  tip.textContent = [name, `${timeText(found[3])}, from ${timeText(found[2])}`, ...more].join("\n");
  tip.style.left = Math.min(event.offsetX + 12, canvas.clientWidth - 300) + "px";
  tip.style.top = event.offsetY + 16 + "px";
});
canvas.addEventListener("mousedown", event => { held = {x: event.offsetX, from, to}; tip.hidden = true; });
window.addEventListener("mouseup", () => { held = null; });
canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
canvas.addEventListener("dblclick", () => { from = 0; to = end; draw(); });
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const t = time(Math.max(event.offsetX, LABELS)), factor = Math.exp(event.deltaY / 400);
  const wide = Math.min(end, Math.max(0.5, (to - from) * factor)), part = (t - from) / (to - from);
  from = Math.max(0, Math.min(end - wide, t - part * wide));
  to = from + wide;
  draw();
}, {passive: false});
window.addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
draw();
