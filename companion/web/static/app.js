"use strict";
(function () {
  var board = document.getElementById("board"), table = document.getElementById("table");
  var log = document.getElementById("log"), why = document.getElementById("why"), lost = document.getElementById("lost");
  var spoken = document.getElementById("spoken");
  var toldIs = "", keys = false; // what was read out last of what has happened; whether a keyboard is used
  var thrown = [], wishes = {}, busy = false, again = false, sheetIs = "", typing = "", posts = 0;

  function seen() { var asks = board.querySelector(".asks"); return asks ? asks.dataset.view : ""; }

  function draw(html, keep, own) {
    var value = document.getElementById("value"), active = document.activeElement;
    var what = board.querySelector(".what"), was = seen(), down = what ? what.scrollTop : 0;
    typing = keep && value ? value.value : "";
    var inside = active && (board.contains(active) || own && keys && active === document.body), same = inside ? marker(active) : "";
    board.innerHTML = html;
    thrown = [];
    if (typing && (value = document.getElementById("value"))) value.value = typing;
    bottom();
    if (was === seen() && !plain(board.querySelector(".message"))) board.querySelector(".what").scrollTop = down; // a plan changed far down
    if (inside) focus(same);
    speak();
  }

  // the end of what has just happened is in sight, whatever orders stand below it
  function bottom() {
    var told = board.querySelector(".told"), last = board.querySelector(".log p:last-child");
    if (last) told.scrollTop += last.getBoundingClientRect().bottom - told.getBoundingClientRect().bottom + 8;
  }

  // where a keyboard goes on: the same button if it is still there, else what Enter would take
  function focus(same) {
    var asks = board.querySelector(".asks"), next = same && board.querySelector(same);
    if (!next || next.disabled) {
      next = keys ? asks.querySelector(".usual:not([disabled])") || asks.querySelector("button:not([disabled]), input") : asks;
    }
    if (next) next.focus({ preventScroll: true });
  }

  // for a screen reader: what happened, and what is asked now
  function speak() {
    var words = [], told = plain(board.querySelector(".log")), message = plain(board.querySelector(".message"));
    if (message) words.push(message);
    else if (told !== toldIs) words.push(told);
    toldIs = told;
    if (!message) board.querySelectorAll(".step, .asks h2, .needs, .asks .note, .asks label").forEach(function (each) {
      words.push(plain(each));
    });
    spoken.textContent = words.filter(Boolean).join(". ");
  }
  function plain(element) { return element ? element.textContent.replace(/\s+/g, " ").trim() : ""; }

  // dice tapped and a plan changed, but not sent, are there again when the page is opened again
  function remember() {
    try { sessionStorage.setItem("half", JSON.stringify([seen(), thrown, wishes])); } catch (full) { /* then not */ }
  }
  function recall() {
    try {
      var half = JSON.parse(sessionStorage.getItem("half") || "[]");
      if (half[0] !== seen()) return;
      if (half[1].length && board.querySelector(".faces")) { thrown = half[1]; slots(true); }
      if (Object.keys(half[2]).length) { wishes = half[2]; post("/plan", { wishes: wishes }); }
    } catch (none) { /* nothing was half answered */ }
  }

  function marker(element) {
    var keys = ["die", "do", "plan", "option", "value"];
    for (var at = 0; at < keys.length; at++) {
      if (element.dataset && element.dataset[keys[at]] !== undefined) {
        var name = "[data-" + keys[at] + '="' + CSS.escape(element.dataset[keys[at]]) + '"]';
        return element.dataset.whom ? name + '[data-whom="' + CSS.escape(element.dataset.whom) + '"]' : name;
      }
    }
    return "#" + (element.id || "none");
  }

  function post(where, sent) {
    if (busy) return;
    busy = true;
    posts++;
    table.classList.add("busy");
    sent.seen = seen();
    var asking = { method: "POST", credentials: "same-origin", body: JSON.stringify(sent),
      headers: { "Content-Type": "application/json", "X-Companion": "1" } };
    var ended = window.AbortController ? new AbortController() : null;
    var late = ended && setTimeout(function () { ended.abort(); }, 12000);
    if (ended) asking.signal = ended.signal;
    fetch(where, asking)
      .then(function (response) {
        return response.text().then(function (html) {
          if ([200, 409, 422].indexOf(response.status) < 0) throw new Error(html);
          if (where !== "/plan" || response.status !== 200) wishes = {};
          if (where === "/write" && response.status === 200) document.getElementById("written").value = ""; // else it is mended
          draw(html, response.status === 422, true);
          lost.hidden = true;
          if (where !== "/plan") sheet();
        });
      })
      .catch(function () { lost.hidden = false; again = true; })
      .then(function () { clearTimeout(late); busy = false; table.classList.remove("busy"); if (again) { again = false; look(); } });
  }

  var later;  // the next try where a look has failed
  function look() {
    if (busy) { again = true; return; }
    var before = posts;
    fetch("/board", { credentials: "same-origin" }).then(function (response) {
      if (response.status === 403) lost.textContent = lost.dataset.closed;
      if (!response.ok) throw new Error();
      return response.text().then(function (html) {
        lost.hidden = true;
        if (posts !== before) { look(); return; }
        if (response.headers.get("X-View") !== seen()) { wishes = {}; draw(html, true); sheet(); }
      });
    }).catch(function () { lost.hidden = false; clearTimeout(later); later = setTimeout(look, 1000); });
  }

  function wide() { return window.matchMedia("(min-width:720px)").matches; }

  function sheet() {
    if (!wide() && table.dataset.show !== "sheet") { sheetIs = ""; return; }
    if (sheetIs === seen()) return;
    var now = seen();
    fetch("/sheet", { credentials: "same-origin" }).then(function (response) {
      return response.ok ? response.text() : null;
    }).then(function (html) {
      if (html === null) return;
      log.innerHTML = html;
      sheetIs = now;
      if (now !== seen()) sheet();
    }).catch(function () {});
  }

  function slots(shown) {
    var empty = board.querySelectorAll(".slot"), send = board.querySelector("[data-send]");
    var any = board.querySelector(".faces[data-any='1']");
    empty.forEach(function (slot, at) {
      slot.classList.toggle("full", at < thrown.length);
      slot.innerHTML = at < thrown.length ? '<svg aria-hidden="true"><use href="#die' + thrown[at] + '"/></svg>' : "";
    });
    board.querySelector("[data-back]").disabled = !thrown.length;
    var first = board.querySelector(".slots").querySelectorAll(".slot").length, next = empty[thrown.length];
    if (next && !any) next.closest(".throw").scrollIntoView({ block: "nearest" }); // whose die is next is in sight
    if (!any) send.disabled = thrown.length < first;
    remember();
    if (!shown && !any && thrown.length === empty.length) dice();
  }

  function dice() { post("/answer", { value: thrown.join(",") }); }

  function row(said) { // of one's own book, with the dice tapped before it
    post("/answer", { value: ((board.querySelector(".faces") ? thrown.join("") : "") + " " + said).trim() });
  }

  function die(face) {
    if (!board.querySelector(".faces") || busy) return;
    if (thrown.length >= board.querySelectorAll(".slot").length) return;
    thrown.push(face);
    slots();
  }

  board.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (!button || button.disabled) return;
    var data = button.dataset;
    if (data.die) die(data.die);
    else if (data.back !== undefined) { thrown.pop(); slots(); }
    else if (data.send !== undefined) dice();
    else if (data.option !== undefined) { wishes[data.whom] = data.option; remember(); post("/plan", { wishes: wishes }); }
    else if (data.plan !== undefined) post("/answer", { wishes: wishes });
    else if (data.value !== undefined) post("/answer", { value: data.value });
    else if (data.row !== undefined) row(data.row);
    else if (data.done) post("/done", { place: Number(data.done) });
    else if (data.do) post("/" + data.do, {});
    else if (data.why !== undefined) reasons("");
  });

  board.addEventListener("submit", function (event) {
    event.preventDefault();
    var value = document.getElementById("value");
    row(value.value || value.placeholder || "");
  });

  document.getElementById("write").addEventListener("submit", function (event) {
    event.preventDefault();
    var written = document.getElementById("written");
    if (written.value) { sheetIs = ""; post("/write", { value: written.value }); show("board"); }
  });

  function reasons(entry) {
    fetch("/why?n=" + entry, { credentials: "same-origin" }).then(function (response) { return response.text(); })
      .then(function (html) { document.getElementById("reasons").innerHTML = html; open(); });
  }
  function open() {
    if (why.hasAttribute("open")) return;
    if (why.showModal) why.showModal();
    else { why.setAttribute("open", ""); why.classList.add("plain"); }
  }
  why.addEventListener("submit", function (event) {
    event.preventDefault();
    if (why.close) why.close(); else why.removeAttribute("open");
    var back = board.querySelector("[data-why]");
    if (back) back.focus();
  });
  why.addEventListener("click", function (event) {
    var entry = event.target.dataset && event.target.dataset.entry;
    if (entry) reasons(entry);
  });

  function show(view) {
    table.dataset.show = view;
    document.querySelectorAll(".tab").forEach(function (tab) {
      tab.setAttribute("aria-pressed", String(tab.dataset.view === view));
    });
    if (view === "sheet") sheet();
  }
  document.querySelector("nav").addEventListener("click", function (event) {
    var tab = event.target.closest(".tab");
    if (tab) show(tab.dataset.view);
  });

  var eyes = document.getElementById("eyes");
  if (eyes) eyes.addEventListener("change", function () {
    fetch("/eyes", { method: "POST", credentials: "same-origin", body: JSON.stringify({ value: eyes.value }),
      headers: { "Content-Type": "application/json", "X-Companion": "1" } }).then(function () { location.reload(); });
  });

  document.addEventListener("pointerdown", function () { keys = false; });
  document.addEventListener("keydown", function (event) {
    keys = true;
    if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[1-6]$/.test(event.key)) die(event.key);
    else if (event.key === "Backspace" && thrown.length) { thrown.pop(); slots(); }
  });

  var source;
  function listen() {
    source = new EventSource("/live");
    source.addEventListener("changed", look);
    source.onerror = function () { lost.hidden = false; if (source.readyState === 2) setTimeout(listen, 2000); };
    source.onopen = function () { lost.hidden = true; };
  }
  listen();
  document.addEventListener("visibilitychange", function () { if (!document.hidden) look(); });
  bottom();
  toldIs = plain(board.querySelector(".log"));
  recall();
})();
