/* SPDX-License-Identifier: Apache-2.0 */
/* A choice of versions in the header, from the list that lies beside them; nothing where there is no list. */
(() => {
  const base = new URL(JSON.parse(document.getElementById("__config").textContent).base + "/", location.href);
  const script = document.createElement("script");
  script.src = new URL("../versions.js", base).href;
  script.onload = () => {
    const here = decodeURIComponent(base.pathname).split("/").filter(Boolean).pop();
    const choice = document.createElement("select");
    choice.className = "versions";
    choice.setAttribute("aria-label", "Version");
    for (const name of window.OLYMPUS_VERSIONS) choice.add(new Option(name, name, false, name === here));
    choice.onchange = () => { location.href = new URL(`../${choice.value}/index.html`, base).href; };
    document.querySelector(".md-header__title").after(choice);
  };
  document.head.appendChild(script);
})();
