"use strict";
(() => {
  const $ = (what, from = document) => from.querySelector(what);
  const all = (what, from = document) => [...from.querySelectorAll(what)];
  const plain = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");
  const board = $("#board"), table = $("#table"), log = $("#log"), dialog = $("#why"), inside = $("#reasons");
  const lost = $("#lost"), again = $("#again"), spoken = $("#spoken");
  const GUARD = 400, FINAL = 800; // milliseconds after a redraw in which a tap or key was meant for what was there before
  const BEAT = 5000;
  const AWAY = "No answer from the companion. Everything is saved; the page reconnects by itself.";
  const OFFLINE = "This device is offline. Everything is saved.";
  const CLOSED = "This address no longer works. Use the one that companion serve shows now.";
  const BUZZ = [[], [40], [90, 50, 90], [220, 80, 220, 80, 400]];
  let drawn = performance.now(), armed = false, keys = false;
  let wishes = {}, gun = "", busy = false, waiting = false, unsent = null, posts = 0;
  let sheetIs = "", toldIs = "", heard = Date.now(), source = null, later = 0;

  // -- drawing ---------------------------------------------------------------------------------------------------------

  const seen = () => $(".asks").dataset.view;
  const asks = () => $(".asks", board);

  function draw(html, keep) {
    const value = $("#value"), typing = keep && value ? value.value : "", was = seen();
    const active = document.activeElement, own = board.contains(active) || active === document.body;
    const same = own ? marker(active) : "", down = $(".what", board).scrollTop;
    board.innerHTML = html;
    drawn = performance.now();
    gun = "";
    if (typing && $("#value")) $("#value").value = typing;
    if (was === seen() && !plain($(".message"))) $(".what").scrollTop = down; // a plan changed far down
    dice();
    if (own) ((same && $(same, board)) || asks()).focus({ preventScroll: true });
    if (was !== seen()) feel(Number(asks().dataset.severity));
    speak();
  }

  // the same control after a redraw, for a keyboard
  function marker(element) {
    const name = ["do", "plan", "option", "why"].find((each) => element.dataset && element.dataset[each] !== undefined);
    if (!name) return "";
    const one = `[data-${name}="${CSS.escape(element.dataset[name])}"]`;
    return (name === "option" ? `${one}[data-whom="${CSS.escape(element.dataset.whom)}"]` : one) + ":not([disabled])";
  }

  // for a screen reader: what happened, and what is asked now
  function speak() {
    const message = plain($(".message")), last = plain($(".log > :last-child")), words = [];
    if (message) words.push(message);
    else if (last !== toldIs) words.push(last);
    toldIs = last;
    if (!message) all(".card, .step, .asks h2, .need, .asks .note, .asks label", board).forEach((each) => words.push(plain(each)));
    spoken.textContent = words.filter(Boolean).join(". ");
  }

  function feel(severity) {
    if (!severity) return;
    if (!setting("still") && navigator.vibrate) navigator.vibrate(BUZZ[severity]);
    if (setting("sound")) beep(severity);
  }
  function beep(severity) {
    const audio = (beep.audio = beep.audio || new AudioContext()), tone = audio.createOscillator(), volume = audio.createGain();
    tone.frequency.value = [0, 660, 220, 110][severity];
    volume.gain.setValueAtTime(0.2, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.2 * severity);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.2 * severity);
  }

  // -- dice: a hand for each roll on the card, with holes where a die was taken away ----------------------------------------

  let hands = [];
  const throws = () => all(".throw:not([hidden])", board);
  const own = () => !!$(".throw.own", board);
  const full = (hand) => hand.dice.every(Boolean) || hand.loose;

  function dice() {
    hands = throws().map((each) => {
      const slots = all(".slot", each);
      return { dice: slots.map(() => 0), row: "", loose: slots.some((slot) => slot.classList.contains("loose")) };
    });
  }
  function show_dice() {
    throws().forEach((each, at) => {
      all(".slot", each).forEach((slot, place) => {
        const die = hands[at].dice[place];
        slot.disabled = !die;
        slot.classList.toggle("full", !!die);
        slot.setAttribute("aria-label", die ? `${die}, take it back` : "Empty die");
        slot.innerHTML = die ? $(`[data-die="${die}"]`, board).innerHTML : "";
      });
      all("[data-row]", each).forEach((row) => row.setAttribute("aria-pressed", String(row.dataset.row === hands[at].row)));
      each.classList.toggle("ready", own() && !!hands[at].row);
    });
    const send = $("[data-send]", board);
    if (send) send.disabled = !value();
    remember();
  }
  function throw_die(face) {
    if (busy || !$(".faces", board)) return;
    const open = hands.findIndex((hand) => !hand.row && hand.dice.includes(0));
    if (open < 0) return;
    hands[open].dice[hands[open].dice.indexOf(0)] = face;
    throws()[open].scrollIntoView({ block: "nearest" });
    finish();
  }
  function take_row(at, row) {
    hands[at].row = hands[at].row === row ? "" : row;
    const thrown = hands[at].dice.filter(Boolean).length;
    if (thrown && thrown < hands[at].dice.length && !hands[at].loose) hands[at].dice.fill(0); // half a roll says nothing
    const next = throws()[hands.findIndex((hand) => !hand.row)];
    if (next) next.scrollIntoView({ block: "nearest" });
    finish();
  }
  function finish() {
    show_dice();
    if (own() ? hands.every((hand) => hand.row) : hands.every((hand) => hand.dice.every(Boolean))) send();
  }
  // what is sent: the hands from the first on, up to one that lacks something
  function value() {
    const open = hands.findIndex((hand) => (own() && hands.length > 1 ? !hand.row : !full(hand) && !hand.row || !(hand.row || hand.dice.some(Boolean))));
    const ready = open < 0 ? hands : hands.slice(0, open);
    return ready.map((hand) => `${hand.dice.filter(Boolean).join(own() ? "" : ",")} ${hand.row}`.trim()).join(own() ? "\n" : ",");
  }
  const send = () => post("/answer", { value: value() });

  // dice and a plan that are not sent are there again when the page is opened again
  function remember() {
    try { sessionStorage.setItem("half", JSON.stringify([seen(), hands, wishes])); } catch { /* then not */ }
  }
  function recall() {
    try {
      const [view, dice, plan] = JSON.parse(sessionStorage.getItem("half") || "[]");
      if (view !== seen()) return;
      if (dice.length === hands.length && $(".faces", board)) { hands = dice; show_dice(); }
      if (Object.keys(plan).length) { wishes = plan; post("/plan", { wishes }); }
    } catch { /* nothing was half answered */ }
  }

  // -- sending and looking -------------------------------------------------------------------------------------------------

  const headers = { "Content-Type": "application/json", "X-Companion": "1" };

  function tell(text, resend) {
    $("span", lost).textContent = resend ? `Not sent. ${text}` : text;
    again.hidden = !resend;
    lost.hidden = !text;
  }

  async function post(where, sent) {
    if (busy) return false;
    busy = true;
    posts++;
    table.classList.add("busy");
    const body = JSON.stringify({ ...sent, seen: sent.seen || seen() }), ended = new AbortController();
    const late = setTimeout(() => ended.abort(), 12000);
    let done = false;
    try {
      const response = await fetch(where, { method: "POST", credentials: "same-origin", body, headers, signal: ended.signal });
      const html = await response.text();
      if (response.status === 403) { tell(CLOSED); return false; }
      if (![200, 409, 422].includes(response.status)) throw new Error(html);
      done = response.status === 200;
      unsent = null;
      if (where !== "/plan" || !done) wishes = {};
      draw(html, response.status === 422);
      tell("");
      if (dialog.open) { if (done) dialog.close(); else complain(plain($(".message"))); }
      if (where !== "/plan") sheet();
    } catch {
      unsent = where === "/plan" ? null : [where, { ...sent, seen: sent.seen || seen() }];
      tell(navigator.onLine ? AWAY : OFFLINE, !!unsent);
      waiting = true;
    }
    clearTimeout(late);
    busy = false;
    table.classList.remove("busy");
    if (waiting) { waiting = false; look(); }
    return done;
  }

  async function look() {
    if (busy) { waiting = true; return; }
    const before = posts;
    try {
      const response = await fetch(`/board?seen=${encodeURIComponent(asks().dataset.shown)}`, { credentials: "same-origin" });
      if (response.status === 403) { tell(CLOSED); return; }
      if (!response.ok) throw new Error();
      const html = await response.text(); // empty if it is on the page already
      heard = Date.now();
      if (posts !== before) { look(); return; }
      if (html && response.headers.get("X-View") !== asks().dataset.shown) { wishes = {}; unsent = null; draw(html, true); sheet(); }
      tell(unsent ? "The companion is back." : "", !!unsent);
    } catch {
      tell(navigator.onLine ? AWAY : OFFLINE, !!unsent);
      clearTimeout(later);
      later = setTimeout(look, 1000);
    }
  }

  function listen() {
    if (source) source.close();
    source = new EventSource("/live");
    source.addEventListener("changed", () => { heard = Date.now(); look(); });
    source.addEventListener("beat", () => { heard = Date.now(); });
    source.onerror = () => { if (source.readyState === 2) setTimeout(listen, 2000); look(); };
  }
  setInterval(() => {
    if (Date.now() - heard < 2.2 * BEAT || document.hidden) return;
    heard = Date.now();
    tell(navigator.onLine ? AWAY : OFFLINE, !!unsent);
    listen();
  }, 1000);
  addEventListener("offline", () => { tell(OFFLINE, !!unsent); look(); }); // what was on its way may hide it
  addEventListener("online", () => { listen(); look(); });
  again.addEventListener("click", () => { if (unsent) post(...unsent); });

  // -- the sheet and what opens over the board -------------------------------------------------------------------------------

  const wide = matchMedia("(min-width:75em)");

  async function sheet() {
    if (!wide.matches && table.dataset.show !== "sheet") { sheetIs = ""; return; }
    if (sheetIs === seen()) return;
    const now = seen();
    try {
      const response = await fetch("/sheet", { credentials: "same-origin" });
      if (!response.ok) return;
      log.innerHTML = await response.text();
      tappable();
      sheetIs = now;
      if (now !== seen()) sheet();
    } catch { /* the next change asks again */ }
  }
  function tappable() {
    all("[data-f]", log).forEach((each) => { each.tabIndex = 0; each.setAttribute("role", "button"); });
  }
  function show(view, remembered) {
    table.dataset.show = view;
    if (!remembered) history.pushState(null, "", view === "sheet" ? "#sheet" : location.pathname);
    if (view === "sheet") { sheet(); $("[data-view]", $("#sheet")).focus(); } else asks().focus({ preventScroll: true });
  }
  addEventListener("popstate", () => show(location.hash === "#sheet" ? "sheet" : "board", true));
  wide.addEventListener("change", sheet);

  async function open(where) {
    try {
      inside.innerHTML = await (await fetch(where, { credentials: "same-origin" })).text();
    } catch { tell(AWAY); return; }
    all("[data-set]", inside).forEach((each) => each.setAttribute("aria-pressed", String(!!setting(each.dataset.set))));
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }
  function complain(text) {
    const line = $(".message", inside) || inside.insertBefore(document.createElement("p"), inside.firstChild);
    line.className = "message";
    line.textContent = text;
    dialog.scrollTop = 0;
  }
  dialog.addEventListener("submit", (event) => {
    const form = event.target, data = form.dataset;
    if (!data.post && !data.name) return; // the form that closes it
    event.preventDefault();
    if (data.post) post(data.post, Object.fromEntries(new FormData(form))).then((done) => { if (done) show("board", true); });
    else post("/write", { value: `${data.name}=${$("input", form).value}` });
  });
  async function share() {
    const shot = $(".shot", inside);
    if (shot) {
      try {
        const picture = new File([await (await fetch(shot.src)).blob()], "mission.png", { type: "image/png" });
        if (navigator.canShare && navigator.canShare({ files: [picture] })) await navigator.share({ files: [picture] });
        else $("[download]", inside).click();
      } catch { /* the player has thought better of it */ }
      return;
    }
    const text = all("#reasons h2, #reasons p:not(.send, .message), #reasons li").map(plain).join("\n\n");
    if (navigator.share) { navigator.share({ text }).catch(() => {}); return; }
    const area = inside.appendChild(document.createElement("textarea"));
    area.value = text;
    area.select();
    complain(document.execCommand("copy") ? "Copied." : "Copy the text from the page.");
    area.remove();
  }

  // -- settings of this device -------------------------------------------------------------------------------------------------

  function setting(name, value) {
    let all = {};
    try { all = JSON.parse(localStorage.getItem("page") || "{}"); } catch { /* none */ }
    if (value !== undefined) {
      all[name] = value;
      try { localStorage.setItem("page", JSON.stringify(all)); } catch { /* then not */ }
    }
    return all[name];
  }
  const light = () => document.documentElement.classList.toggle("night", !!setting("night"));
  const awake = () => { if (navigator.wakeLock && !document.hidden) navigator.wakeLock.request("screen").catch(() => {}); };

  // -- hands and keys ------------------------------------------------------------------------------------------------------------

  // a plan on the drawing: first the gun, then the fighter
  function aim(element) {
    const part = element.closest("[data-gun]"), foe = element.closest("[data-foe]");
    if (part && part.dataset.gun && $(`[data-whom="${CSS.escape(part.dataset.gun)}"]`, board)) {
      gun = part.dataset.gun;
      all(".bomber .part", board).forEach((each) => each.classList.toggle("picked", each === part));
      return true;
    }
    const button = foe && gun && $(`[data-whom="${CSS.escape(gun)}"][data-at="${foe.dataset.foe}"]`, board);
    if (button) button.click();
    return !!foe;
  }

  function act(button) {
    const data = button.dataset;
    if (data.die) throw_die(Number(data.die));
    else if (button.classList.contains("slot")) {
      const at = throws().indexOf(button.closest(".throw"));
      hands[at].dice[all(".slot", button.closest(".throw")).indexOf(button)] = 0;
      show_dice();
    } else if (data.row !== undefined) take_row(throws().indexOf(button.closest(".throw")), data.row);
    else if (data.more !== undefined) { all(".throw.more").forEach((each) => { each.hidden = false; }); button.hidden = true; const kept = hands; dice(); kept.forEach((hand, at) => { hands[at] = hand; }); show_dice(); }
    else if (data.send !== undefined) send();
    else if (data.option !== undefined) { wishes[data.whom] = data.option; remember(); post("/plan", { wishes }); }
    else if (data.plan !== undefined) post("/answer", { wishes });
    else if (data.value !== undefined) post("/answer", { value: data.value });
    else if (data.done) post("/done", { place: Number(data.done) });
    else if (data.do) post(`/${data.do}`, {});
    else if (data.use) post("/use", { value: data.use });
    else if (data.write) post("/write", { value: data.write });
    else if (data.step) { const input = $("input", button.closest("form")); input.value = Number(input.value || 0) + Number(data.step); }
    else if (data.set) { button.setAttribute("aria-pressed", String(setting(data.set, !setting(data.set)))); light(); }
    else if (data.why !== undefined) open(`/why?n=${data.why}`);
    else if (data.entry) open(`/why?n=${data.entry}`);
    else if (data.menu !== undefined) open(`/menu?n=${data.menu}`);
    else if (data.story !== undefined) open("/story");
    else if (data.picture !== undefined) open("/picture");
    else if (data.share !== undefined) share();
    else if (data.view && button.type === "button") show(data.view);
  }

  document.addEventListener("pointerdown", () => { keys = false; armed = performance.now(); }, true);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button"), field = event.target.closest("[data-f]");
    const when = event.detail ? armed : performance.now(), rest = button && button.classList.contains("final") ? FINAL : GUARD;
    if (board.contains(event.target) && when - drawn < rest) { event.preventDefault(); event.stopPropagation(); return; }
    if (button && !button.disabled) act(button);
    else if (!button && event.target.closest(".told [data-why]")) act(event.target.closest(".told [data-why]"));
    else if (!button && $(".sky").contains(event.target) && aim(event.target)) return;
    else if (field && !button) open(`/field?n=${encodeURIComponent(field.dataset.f)}`);
  }, true);

  board.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = $("#value").value;
    if (!own()) { post("/answer", { value: said }); return; }
    const at = hands.findIndex((hand) => !hand.row);
    if (said && at >= 0) take_row(at, said);
  });
  $("#write").addEventListener("submit", (event) => {
    event.preventDefault();
    const written = $("#written");
    if (written.value) { sheetIs = ""; post("/write", { value: written.value }).then((done) => { if (done) written.value = ""; else show("board"); }); }
  });

  function key(event) {
    keys = true;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const fresh = performance.now() - drawn < GUARD || event.repeat, on = event.target;
    if (event.key === "Enter" && on.dataset && on.dataset.f && on.closest("#log")) { open(`/field?n=${encodeURIComponent(on.dataset.f)}`); return; }
    if (fresh && board.contains(on) && ["Enter", " "].includes(event.key)) { event.preventDefault(); return; }
    if (on.closest("input, select, textarea, dialog[open]") || dialog.open) return;
    if (event.key === "Enter" && !on.closest("button, a")) {
      const usual = $(".usual:not([disabled]), [data-send]:not([disabled])", board);
      if (usual && !fresh) { event.preventDefault(); act(usual); }
    } else if (/^[1-9]$/.test(event.key) && !fresh) {
      if ($(".faces", board)) { if ($(`[data-die="${event.key}"]`, board)) throw_die(Number(event.key)); return; }
      const options = all(".options [data-value]", board), named = options.find((each) => plain($(".number", each)) === event.key);
      const option = named || (options.some((each) => $(".number", each)) ? null : options[event.key - 1]);
      if (option && !option.classList.contains("final")) act(option);
      else if (option) option.focus();
    } else if (event.key === "Backspace") {
      const at = hands.findLastIndex((hand) => hand.dice.some(Boolean));
      if (at >= 0) { hands[at].dice[hands[at].dice.findLastIndex(Boolean)] = 0; show_dice(); }
    } else if (!fresh && "uws".includes(event.key)) {
      const control = $({ u: "[data-do=undo]", w: "footer [data-why]", s: "[data-view=sheet]" }[event.key], board);
      if (control && !control.disabled) act(control);
    }
  }
  document.addEventListener("keydown", key);

  const eyes = $("#eyes");
  if (eyes) eyes.addEventListener("change", () => {
    fetch("/eyes", { method: "POST", credentials: "same-origin", body: JSON.stringify({ value: eyes.value }), headers }).then(() => location.reload());
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { look(); awake(); } });

  light();
  awake();
  listen();
  dice();
  tappable();
  toldIs = plain($(".log > :last-child"));
  if (location.hash === "#sheet") show("sheet", true);
  recall();
})();
