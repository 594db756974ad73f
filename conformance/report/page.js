/* SPDX-License-Identifier: Apache-2.0 */
"use strict";
(() => {
  document.documentElement.classList.add("live");
  const told = document.getElementById("told");
  document.addEventListener("click", (event) => {
    const place = event.target.closest(".matrix td[title], .chips [title]");
    if (place && place.matches("a")) return;
    told.hidden = !place;
    if (place) told.textContent = place.title;
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") told.hidden = true; });

  function unfold() {
    const place = document.getElementById(location.hash.slice(1));
    if (place && place.matches("details")) place.open = true;
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  const form = document.querySelector(".filter");
  if (!form) return;
  const requirements = [...document.querySelectorAll(".req")].map((details) => ({
    details,
    opened: details.open,
    text: details.querySelector("summary").textContent.toLowerCase(),
    name: details.querySelector("code").textContent.toLowerCase(),
    chips: [...details.querySelectorAll(".chips > *")].map((chip) => ({
      chip, kind: chip.className, text: `[${chip.textContent.slice(2)}] ${chip.title}`.toLowerCase(),
    })),
  }));
  const headings = [...document.querySelectorAll("#tests h3")];
  const shown = document.getElementById("shown");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const search = form.querySelector("input[type=search]");

  function filter() {
    const kinds = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const narrowed = words.length > 0 || kinds.size < boxes.length;
    let total = 0;
    for (const one of requirements) {
      let count = 0;
      for (const { chip, kind, text } of one.chips) {
        const whole = one.name + text + one.text;
        const visible = kinds.has(kind) && words.every((word) => whole.includes(word));
        chip.hidden = !visible;
        count += visible;
      }
      one.details.hidden = count === 0;
      one.details.open = narrowed ? count > 0 && count <= 400 : one.opened;
      total += count;
    }
    for (const heading of headings) {
      let next = heading.nextElementSibling, some = false;
      for (; next && next.matches(".req"); next = next.nextElementSibling) some = some || !next.hidden;
      heading.hidden = !some;
    }
    shown.textContent = narrowed ? `${total} shown` : "";
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
})();
