"use strict";

// The content of letters is put into the page as text, never as markup: all elements are created by
// element() and svg() below, whose children are texts or other elements.

const $ = (id) => document.getElementById(id);
const STATUSES = ["PARKED", "REDRIVING", "RESOLVED", "DISCARDED"];
const FIELDS = ["projector", "tenant", "type", "error", "key", "age"];
const LOOK_AGAIN_MILLIS = 15000;
/** After a change nodes go on with what it has begun. */
const LOOK_SOON_MILLIS = [700, 2000, 4000, 8000];
const PROGRESS_MILLIS = 700;
const LONGEST_COLOURED = 200000;

const state = { session: null, status: "PARKED", letters: [], next: null, pages: 1, current: null, place: 0, open: null, opened: 0, asked: 0, redrive: null, newest: null };

// ---- elements

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith("on")) {
			node.addEventListener(name.slice(2), value);
		} else if (value !== null && value !== undefined && value !== false) {
			node.setAttribute(name, value === true ? "" : value);
		}
	}
	node.append(...children.filter((child) => child !== null && child !== undefined));
	return node;
}

const element = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

function show(node, text) {
	node.hidden = !text;
	node.textContent = text || "";
}

// ---- words

const number = (value) => Number(value).toLocaleString("en");
const counted = (value, one, many) => number(value) + " " + (Number(value) === 1 ? one : many || one + "s");
const simpleName = (type) => (type || "").slice((type || "").lastIndexOf(".") + 1);
const words = (constant) => constant.charAt(0) + constant.slice(1).toLowerCase().replace(/_/g, " ");

function ago(instant) {
	const seconds = Math.round((Date.now() - new Date(instant).getTime()) / 1000);
	const far = Math.abs(seconds);
	const said = far < 45 ? far + " s" : far < 5400 ? Math.round(far / 60) + " min"
		: far < 129600 ? Math.round(far / 3600) + " h" : Math.round(far / 86400) + " d";
	return seconds < 0 ? "in " + said : said + " ago";
}

/** The offset of this browser's zone, such as "+02:00". */
function zone(date) {
	const minutes = -date.getTimezoneOffset();
	const two = (value) => String(Math.trunc(Math.abs(value))).padStart(2, "0");
	return (minutes < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60);
}

function exactly(instant) {
	const date = new Date(instant);
	return date.toLocaleString("sv") + "." + String(date.getMilliseconds()).padStart(3, "0") + " " + zone(date);
}

const time = (instant) => instant ? element("time", { datetime: instant, title: exactly(instant) + "\n" + instant }, ago(instant)) : "–";
const timeWithDate = (instant) => instant ? element("span", {}, exactly(instant) + " (", time(instant), ")") : "–";
const badge = (status) => element("span", { class: "badge " + (STATUSES.includes(status) ? status : "") }, words(status));

// ---- requests

async function ask(path, options) {
	let response;
	try {
		response = await fetch("api/" + path, Object.assign({ credentials: "same-origin", redirect: "manual", cache: "no-store" }, options, {
			headers: Object.assign({ Accept: "application/json", "X-Requested-With": "XMLHttpRequest" }, options && options.headers)
		}));
	} catch (ignored) {
		throw new Error("The application cannot be reached. The page retries in a moment.");
	}
	const json = (response.headers.get("Content-Type") || "").startsWith("application/json");
	const body = json ? await response.json().catch(() => null) : null;
	if (response.ok && body) {
		return body;
	}
	throw refusal(response, body);
}

function refusal(response, body) {
	let message = "The application answered with status " + response.status + ".";
	if (body && body.message) {
		message = body.message;
	} else if (response.type === "opaqueredirect" || response.status === 401) {
		message = "You are no longer logged in. Consider loading the page again.";
	} else if (response.status === 403) {
		message = "You are not allowed to do this (403).";
	}
	const isOurs = Boolean(body && ["WRITE_REFUSED", "NOT_ALLOWED"].includes(body.error));
	return Object.assign(new Error(message), { status: response.status, isOurs: isOurs });
}

async function change(path, body) {
	state.session = await ask("session");
	const token = state.session.token;
	const send = (value) => ask(path + query({ tenant: filters().tenant }), {
		method: "POST", body: JSON.stringify(body),
		headers: Object.assign({ "Content-Type": "application/json", "X-Eventing-Console": "1" }, token ? { [token.header]: value } : {})
	});
	try {
		return await send(token ? token.value : null);
	} catch (error) {
		const cookie = tokenOfCookie();
		if (error.status !== 403 || error.isOurs || !token || !cookie || cookie === token.value) {
			throw error;
		}
		return send(cookie); // what was refused was not done
	}
}

/** If Spring Security is configured for single-page applications, it takes its token as its cookie has it. */
function tokenOfCookie() {
	const cookie = document.cookie.split("; ").find((each) => each.startsWith("XSRF-TOKEN="));
	try {
		return cookie ? decodeURIComponent(cookie.slice("XSRF-TOKEN=".length)) : null;
	} catch (error) {
		return null; // another application's
	}
}

function query(values) {
	const said = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
	return said.length ? "?" + new URLSearchParams(said) : "";
}

/** Runs an action that may fail, and shows its error. */
async function saying(action) {
	try {
		const result = await action();
		show($("problem"), null);
		return result;
	} catch (error) {
		show($("problem"), error.message);
		return null;
	}
}

// ---- filters, which are also in the address

function filters() {
	const form = $("filters").elements;
	const values = Object.fromEntries(FIELDS.map((name) => [name, form[name].value.trim()]));
	values.status = state.status;
	return values;
}

function selection(values) {
	return {
		projector: values.projector || null, type: values.type || null, error: values.error || null, key: values.key || null,
		status: values.status || null,
		deadAfter: values.age ? new Date(Date.now() - Number(values.age) * 1000).toISOString() : null
	};
}

const isFiltered = (values) => ["projector", "type", "error", "key", "age"].some((name) => values[name]);

function readAddress() {
	const address = new URLSearchParams(location.search);
	FIELDS.forEach((name) => $("filters").elements[name].value = address.get(name) || "");
	state.status = address.has("status") ? address.get("status") : "PARKED";
	return address.get("letter");
}

function writeAddress() {
	const values = filters();
	const address = query(Object.assign({}, values, { status: null, letter: state.open && state.open.letter.letterId }));
	const status = values.status === "PARKED" ? "" : (address ? "&" : "?") + "status=" + values.status;
	history.replaceState(null, "", location.pathname + address + status);
}

function setFilter(name, value) {
	const field = $("filters").elements[name];
	field.value = field.value === value ? "" : value;
	look();
}

// ---- reading

async function look() {
	writeAddress();
	state.pages = 1;
	await saying(async () => {
		const turn = ++state.asked;
		const values = filters();
		const [every, amount] = $("span").value.split("/");
		const wanted = selection(values);
		const [page, stats] = await Promise.all([
			ask("letters" + query(Object.assign({ tenant: values.tenant, limit: 100 }, wanted))),
			ask("stats" + query(Object.assign({ tenant: values.tenant, interval: every, intervals: amount }, wanted, { status: null })))
		]);
		if (turn === state.asked) {
			state.letters = page.letters;
			state.next = page.next;
			showStats(stats, values);
			showLetters();
		}
	});
}

async function lookFurther() {
	await saying(async () => {
		const turn = state.asked;
		const values = filters();
		const page = await ask("letters" + query(Object.assign({ tenant: values.tenant, limit: 100, after: state.next }, selection(values))));
		if (turn === state.asked) {
			state.pages++;
			state.letters.push(...page.letters);
			state.next = page.next;
			showLetters();
		}
	});
}

function total(groups, by) {
	const totals = new Map();
	groups.forEach((group) => totals.set(by(group), (totals.get(by(group)) || 0) + group.letters));
	return [...totals].sort((one, other) => other[1] - one[1]);
}

function showStats(stats, values) {
	const perStatus = new Map(total(stats.groups, (group) => group.status));
	showStatuses(perStatus);
	const shown = stats.groups.filter((group) => !values.status || group.status === values.status);
	showFacet("projector", total(shown, (group) => group.projector));
	showFacet("tenant", total(shown, (group) => group.tenantId || ""));
	showFacet("error", total(shown, (group) => group.errorClass || ""));
	suggest("known-projectors", stats.groups, (group) => group.projector);
	suggest("known-tenants", stats.groups, (group) => group.tenantId);
	suggest("known-types", stats.groups, (group) => group.eventType);
	suggest("known-errors", stats.groups, (group) => group.errorClass);
	showChart(stats.overTime);
	state.newest = shown.map((group) => group.newest).sort((one, other) => Date.parse(one) - Date.parse(other)).pop() || null;
	const many = shown.reduce((sum, group) => sum + group.letters, 0);
	const among = values.tenant ? " of tenant " + values.tenant : "";
	$("count").textContent = many === 0 ? "" : counted(many, "letter") + among + (isFiltered(values) ? " that match" : "");
	show($("scope"), values.tenant ? "tenant " + values.tenant : null);
	document.title = (perStatus.get("PARKED") ? "(" + number(perStatus.get("PARKED")) + ") " : "") + "Dead letters";
	showEmpty(values, perStatus, many);
}

function showEmpty(values, perStatus, many) {
	$("empty").hidden = many > 0;
	$("letters").hidden = many === 0;
	const some = [...perStatus.values()].some((letters) => letters > 0);
	const filtered = isFiltered(values) || values.tenant;
	$("empty-title").textContent = filtered || some ? "No letters match" : "No dead letters";
	$("empty-text").textContent = filtered ? "Consider clearing some filters."
		: some ? "There are letters with other statuses." : "Every event was applied.";
	$("redrive-all").hidden = many === 0 || !["", "PARKED"].includes(values.status);
	$("discard-all").hidden = many === 0 || !["", "PARKED", "REDRIVING"].includes(values.status);
}

function showStatuses(perStatus) {
	const all = [...perStatus.values()].reduce((sum, letters) => sum + letters, 0);
	for (const input of $("statuses").querySelectorAll("input")) {
		input.checked = input.value === state.status;
		input.parentNode.querySelector("b").textContent = number(input.value ? perStatus.get(input.value) || 0 : all);
	}
}

function makeStatuses() {
	[...STATUSES, ""].forEach((status) => $("statuses").append(element("label", {},
		element("input", { type: "radio", name: "status", value: status, onchange: () => { state.status = status; look(); } }),
		element("span", { class: "pick" }, status ? words(status) : "All", element("b", {}, "0")))));
}

function showFacet(name, totals) {
	const chosen = $("filters").elements[name].value;
	const most = totals.length ? totals[0][1] : 0;
	$("facet-" + name).replaceChildren(...totals.slice(0, 12).map(([value, letters]) => element("li", {},
		element("button", {
			type: "button", "aria-pressed": String(value !== "" && value === chosen), title: value || "none",
			disabled: value === "", onclick: () => setFilter(name, value)
		},
		element("span", { class: "name" }, name === "error" ? simpleName(value) || "none" : value || "none"),
		element("span", { class: "many" }, number(letters)),
		svg("svg", { viewBox: "0 0 100 2", preserveAspectRatio: "none", "aria-hidden": "true" },
			svg("rect", { width: 100 * letters / most, height: 2 }))))));
	if (totals.length === 0) {
		$("facet-" + name).append(element("li", { class: "none" }, "none"));
	}
}

function suggest(id, groups, by) {
	$(id).replaceChildren(...total(groups.filter(by), by).map(([value]) => element("option", { value: value })));
}

function showChart(intervals) {
	const most = Math.max(1, ...intervals.map((interval) => interval.letters));
	const width = 100 / Math.max(1, intervals.length);
	const bars = intervals.map((interval, index) => {
		const height = interval.letters ? Math.max(6, 64 * interval.letters / most) : 2;
		return svg("rect", {
			x: index * width + width * 0.1, y: 64 - height, width: width * 0.8, height: height, class: interval.letters ? null : "none"
		}, svg("title", {}, exactly(interval.from).slice(0, 16) + ": " + counted(interval.letters, "letter")));
	});
	const sum = intervals.reduce((all, interval) => all + interval.letters, 0);
	const text = counted(sum, "letter") + " in this time, at most " + number(sum ? most : 0) + " in a bar";
	$("chart").replaceChildren(svg("svg", { viewBox: "0 0 100 64", preserveAspectRatio: "none", role: "img", "aria-label": text }, ...bars));
	$("chart-text").textContent = sum ? text : "No letters in this time";
	$("chart-from").textContent = intervals.length ? exactly(intervals[0].from).slice(5, 16) : "";
}

function showLetters() {
	// The cursor keeps its place when its letter leaves the list.
	const index = state.letters.findIndex((letter) => letter.letterId === state.current);
	state.place = index >= 0 ? index : Math.max(0, Math.min(state.place, state.letters.length - 1));
	state.current = state.letters.length ? state.letters[state.place].letterId : null;
	const focused = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.letter;
	$("rows").replaceChildren(...state.letters.map(row));
	$("more").hidden = state.next === null;
	mark(Boolean(focused));
}

function row(letter) {
	return element("tr", { "data-letter": letter.letterId, tabindex: "-1", onclick: () => open(letter.letterId) },
		element("td", {}, badge(letter.status)),
		element("td", {}, time(letter.deadAt)),
		element("td", { title: letter.projector }, letter.projector),
		element("td", { title: letter.tenantId || "none" }, letter.tenantId || "–"),
		element("td", { title: letter.eventType || "unknown" }, letter.eventType || "–"),
		element("td", { class: "mono", title: letter.key || "none" }, letter.key || "–"),
		element("td", { title: [letter.errorClass || letter.reason, letter.errorMessage].filter(Boolean).join("\n") },
			element("span", { class: "error" }, simpleName(letter.errorClass) || words(letter.reason)), " ",
			element("span", { class: "message" }, letter.errorMessage || "")),
		element("td", { class: "number", title: counted(letter.attempts, "attempt") + ", " + counted(letter.redrives, "redrive") },
			letter.attempts + (letter.redrives ? " + " + letter.redrives : "")));
}

function mark(focus) {
	for (const each of $("rows").children) {
		const current = each.dataset.letter === state.current;
		each.setAttribute("tabindex", current ? "0" : "-1");
		if (current) {
			each.setAttribute("aria-current", "true");
			if (focus) {
				each.focus({ preventScroll: true });
				each.scrollIntoView({ block: "nearest" });
			}
		} else {
			each.removeAttribute("aria-current");
		}
	}
}

async function move(step) {
	const next = state.letters[Math.min(Math.max(state.place + step, 0), state.letters.length - 1)];
	if (next) {
		to(next.letterId);
		mark(!state.open);
		if (state.open) {
			await open(next.letterId);
		}
	}
}

// ---- one letter

function to(letterId) {
	const index = state.letters.findIndex((letter) => letter.letterId === letterId);
	if (index >= 0) {
		state.place = index;
		state.current = letterId;
	}
}

async function open(letterId) {
	to(letterId);
	mark(false);
	const turn = ++state.opened;
	const view = await saying(() => ask("letters/" + encodeURIComponent(letterId) + query({ tenant: filters().tenant })));
	if (view && turn === state.opened) {
		const anew = !state.open || state.open.letter.letterId !== letterId;
		state.open = view;
		showLetter(view);
		writeAddress();
		if (anew) {
			$("detail").focus({ preventScroll: true });
		}
	}
}

function close() {
	state.opened++;
	state.open = null;
	$("detail").hidden = true;
	writeAddress();
	mark(true);
}

function showLetter(view) {
	const scrolled = $("detail").querySelector(".body");
	const top = scrolled && $("detail").dataset.letter === view.letter.letterId ? scrolled.scrollTop : 0;
	$("detail").dataset.letter = view.letter.letterId;
	const body = element("div", { class: "body" }, ...why(view), ...facts(view), ...payloads(view), ...headers(view), ...trail(view),
		...sameKey(view), ...(view.stackTrace ? [element("h3", {}, "Stack trace"), element("pre", { tabindex: "0" }, view.stackTrace)] : []));
	$("detail").replaceChildren(head(view), body);
	$("detail").hidden = false;
	body.scrollTop = top;
}

function head(view) {
	const letter = view.letter;
	const isOpen = letter.status === "PARKED" || letter.status === "REDRIVING";
	const readOnly = state.session && state.session.readOnly;
	const button = (id, text, kind, possible, action) => element("button", {
		type: "button", id: id, class: kind, disabled: Boolean(readOnly) || !possible, title: readOnly || null, onclick: action
	}, text);
	return element("header", {},
		element("div", { class: "title" }, badge(letter.status),
			element("h2", { id: "detail-title" }, (letter.eventType || "Unknown type") + (letter.key ? " of " + letter.key : "")),
			element("button", { type: "button", class: "quiet", id: "detail-close", onclick: close, title: "Close (Esc)" }, "Close")),
		element("div", { class: "doing" },
			button("redrive-one", "Redrive…", "", letter.status === "PARKED", () => confirmRedrive([letter])),
			button("edit-one", "Edit payload…", "quiet", isOpen && canEdit(view), () => confirmEdit(view)),
			button("discard-one", "Discard…", "danger", isOpen, () => confirmDiscard([letter])),
			element("span", { class: "faint", id: "redriver" }, view.redriver ? "Redrives run on " + view.redriver.node
				: "No running application has this projector")));
}

const canEdit = (view) => Boolean(state.session) && state.session.payloadShown && view.event.payload.encoding === "UTF-8";

function why(view) {
	const letter = view.letter;
	return [element("div", { class: "why" },
		element("b", {}, letter.errorClass || words(letter.reason)),
		letter.errorMessage ? element("p", {}, letter.errorMessage) : null)];
}

function list(pairs) {
	return element("dl", { class: "facts" }, ...pairs.filter(([, value]) => value !== null && value !== undefined)
		.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

const code = (text) => text === null || text === undefined ? null : element("code", {}, String(text));

function facts(view) {
	const { letter, origin, handling } = view;
	return [element("h3", {}, "Letter"), list([
		["Projector", letter.projector],
		["Tenant", letter.tenantId || "none"],
		["Reason", words(letter.reason)],
		["Key", letter.key ? code(letter.key) : null],
		["Waits behind", letter.behind ? element("button", { type: "button", class: "quiet", id: "behind",
			onclick: () => open(letter.behind) }, letter.behind) : null],
		["Attempts", counted(letter.attempts, "attempt") + (letter.redrives ? ", then " + counted(letter.redrives, "redrive") : "")],
		["Dead", timeWithDate(letter.deadAt)],
		["First failed", timeWithDate(origin.firstFailedAt)],
		["Published", timeWithDate(origin.publishedAt)],
		["Closed", handling.closedAt ? timeWithDate(handling.closedAt) : null],
		["Redriven automatically", handling.nextRedriveAt ? timeWithDate(handling.nextRedriveAt) : null],
		["Forwarded", handling.forwardedAt ? timeWithDate(handling.forwardedAt) : null],
		["Event", code(letter.eventId)],
		["Letter", code(letter.letterId)],
		["Subject", code(view.event.subject)],
		["Stream", code(origin.stream + " #" + origin.streamSequence)]
	])];
}

function payloads(view) {
	const nodes = [];
	if (view.event.editedPayload) {
		nodes.push(element("h3", {}, "Payload for redrives"), payload(view.event.editedPayload, "payload-edited"));
	}
	nodes.push(element("h3", {}, view.event.editedPayload ? "Original payload" : "Payload"), payload(view.event.payload, "payload"));
	return nodes;
}

function payload(view, id) {
	if (view.encoding === null) {
		return element("p", { class: "faint", id: id }, counted(view.bytes, "byte")
			+ ", not shown here. Consider 'eventing.deadletters.show-payload=true' if only permitted users have access.");
	}
	if (view.bytes === 0) {
		return element("p", { class: "faint", id: id }, "empty");
	}
	const pieces = view.encoding === "UTF-8" && view.bytes <= LONGEST_COLOURED ? pretty(view.content) : null;
	return element("pre", { id: id, tabindex: "0", "aria-label": "Payload" },
		...(pieces ? pieces.map((piece) => piece.kind ? element("span", { class: piece.kind }, piece.text) : piece.text) : [view.content]));
}

/**
 * JSON with line breaks, in pieces to be coloured; null if it is none. Reads the text itself, since parsed
 * numbers would lose digits.
 */
function pretty(text) {
	try {
		JSON.parse(text);
	} catch (ignored) {
		return null;
	}
	const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) || [];
	const pieces = [];
	let depth = 0;
	const line = () => pieces.push({ text: "\n" + "  ".repeat(depth) });
	tokens.forEach((token, index) => {
		const next = tokens[index + 1];
		if (token === "{" || token === "[") {
			pieces.push({ text: token });
			depth++;
			if (next !== "}" && next !== "]") {
				line();
			}
		} else if (token === "}" || token === "]") {
			depth--;
			if (tokens[index - 1] !== "{" && tokens[index - 1] !== "[") {
				line();
			}
			pieces.push({ text: token });
		} else if (token === ",") {
			pieces.push({ text: token });
			line();
		} else if (token === ":") {
			pieces.push({ text: ": " });
		} else {
			pieces.push({ text: token, kind: token[0] !== "\"" ? "literal" : next === ":" ? "key" : "string" });
		}
	});
	return pieces;
}

function headers(view) {
	const shown = Object.entries(view.event.headers).flatMap(([name, values]) => values.map((value) => [name, code(value)]));
	const hidden = view.event.hiddenHeaders.map((name) => [name, element("span", { class: "faint" }, "not shown here")]);
	return shown.length + hidden.length ? [element("h3", {}, "Headers"), list([...shown, ...hidden])] : [];
}

function trail(view) {
	const entries = view.audit.map((entry) => element("li", {}, time(entry.at),
		element("span", {}, element("b", {}, words(entry.action)), " by " + entry.actor + (entry.detail ? ": " + entry.detail : ""))));
	return [element("h3", {}, "Audit"), element("ul", { class: "trail", id: "audit" },
		element("li", {}, time(view.letter.deadAt), element("span", {}, element("b", {}, "Parked"), " by projector:" + view.letter.projector)), ...entries)];
}

function sameKey(view) {
	if (view.sameKey.length < 2) {
		return [];
	}
	const each = (letter) => element("li", { class: letter.letterId === view.letter.letterId ? "here" : null }, badge(letter.status),
		letter.letterId === view.letter.letterId ? element("span", {}, letter.eventType || "–")
			: element("button", { type: "button", onclick: () => open(letter.letterId) }, letter.eventType || "–"),
		time(letter.deadAt), element("span", { class: "faint" }, simpleName(letter.errorClass) || words(letter.reason)));
	const title = view.sameKey.length < 100 ? "Letters of the same key, in order" : "The 100 oldest letters of the same key, in order";
	return [element("h3", {}, title), element("ul", { class: "same", id: "same-key" }, ...view.sameKey.map(each))];
}

// ---- changes

/** Asks for confirmation before the action; resolves when the dialog is closed. */
function confirmation(options) {
	const dialog = $("confirm");
	dialog.classList.toggle("large", options.payload !== undefined);
	$("confirm-title").textContent = options.title;
	$("confirm-text").textContent = options.text;
	show($("confirm-warning"), options.warning);
	show($("confirm-problem"), null);
	$("confirm-yes").textContent = options.yes;
	$("confirm-yes").className = options.danger ? "danger" : "";
	$("confirm-reason-label").hidden = !options.reason;
	$("confirm-reason").value = "";
	$("confirm-payload-label").hidden = options.payload === undefined;
	$("confirm-payload").value = options.payload || "";
	$("confirm-payload-hint").textContent = options.hint || "";
	$("confirm-original").hidden = !options.original;
	const act = async (action) => {
		if (options.reason && !$("confirm-reason").value.trim()) {
			show($("confirm-problem"), "Please enter a reason for the audit.");
			$("confirm-reason").focus();
			return;
		}
		$("confirm-yes").disabled = true;
		try {
			await action($("confirm-reason").value.trim(), $("confirm-payload").value);
			dialog.close();
		} catch (error) {
			show($("confirm-problem"), error.message);
		} finally {
			$("confirm-yes").disabled = false;
		}
	};
	$("confirm-form").onsubmit = (event) => {
		event.preventDefault();
		act(options.action);
	};
	$("confirm-original").onclick = () => act(options.original);
	dialog.showModal();
	(options.payload !== undefined ? $("confirm-payload") : options.reason ? $("confirm-reason") : $("confirm-yes")).focus();
}

const wish = (letters) => letters ? { selection: { letterIds: letters.map((letter) => letter.letterId) }, all: false }
	: { selection: selection(filters()), all: true };

/** Without the letters that have come since the page has counted them: nobody has seen these. */
function wishOfCounted(letters) {
	const what = wish(letters);
	if (!letters && state.newest) {
		what.selection.deadBefore = new Date(Date.parse(state.newest) + 1).toISOString();
	}
	return what;
}

function mayChange() {
	if (state.session && state.session.readOnly) {
		show($("problem"), state.session.readOnly);
		return false;
	}
	return true;
}

async function confirmRedrive(letters) {
	const what = wish(letters);
	const plan = mayChange() && await saying(() => change("redrive", Object.assign({ dryRun: true }, what)));
	if (!plan) {
		return;
	}
	if (plan.letters === 0) {
		show($("problem"), "No matching letter is parked, so there is nothing to redrive.");
		return;
	}
	const followers = plan.followers ? ", and with " + (plan.selected === 1 ? "it" : "them") + " " + counted(plan.followers, "letter")
		+ " of the same " + (plan.followers === 1 ? "key" : "keys") + ", in order" : "";
	confirmation({
		title: "Redrive " + counted(plan.letters, "letter") + "?",
		text: "Runs the handler of " + Object.keys(plan.byProjector).join(", ") + " again for " + counted(plan.selected, "letter") + followers
			+ ". No other projector receives the events.",
		warning: unattended(plan), yes: "Redrive",
		action: async () => {
			const redrive = await change("redrive", what);
			follow(redrive);
		}
	});
}

const unattended = (redrive) => redrive.unattended.length
	? "No running application has " + redrive.unattended.join(", ") + ". The letters wait until one starts." : null;

async function confirmDiscard(letters) {
	const what = wishOfCounted(letters);
	const plan = mayChange() && await saying(() => change("discard", Object.assign({ dryRun: true }, what)));
	if (!plan) {
		return;
	}
	if (plan.letters === 0) {
		show($("problem"), "No matching letter is open, so there is nothing to discard.");
		return;
	}
	confirmation({
		title: "Discard " + counted(plan.letters, "letter") + "?",
		text: "Discarded letters count as processed and are never applied. Later events of the same key are redriven.",
		yes: "Discard", danger: true, reason: true,
		action: async (reason) => {
			await change("discard", Object.assign({ reason: reason, most: plan.letters }, what));
			await lookAtAll();
			lookSoon();
		}
	});
}

function confirmEdit(view) {
	if (!mayChange()) {
		return;
	}
	const now = (view.event.editedPayload || view.event.payload).content;
	const pieces = pretty(now);
	const id = encodeURIComponent(view.letter.letterId);
	const edit = async (reason, payload) => {
		await change("letters/" + id + "/payload", { reason: reason, payload: payload });
		await lookAtAll();
	};
	confirmation({
		title: "Edit the payload", yes: "Save", reason: true,
		text: "Redrives pass this payload to the handler. The original is kept, and the audit records the change.",
		payload: pieces ? pieces.map((piece) => piece.text).join("") : now,
		hint: pieces ? "JSON" : "text",
		action: async (reason, payload) => {
			if (pieces && !pretty(payload)) {
				throw new Error("This is not JSON, but the original payload is.");
			}
			await edit(reason, payload);
		},
		original: view.event.editedPayload ? (reason) => edit(reason, null) : null
	});
}

async function follow(redrive) {
	if (!redrive.redriveId) {
		show($("problem"), "No matching letter is parked any more, so there is nothing to redrive.");
		return;
	}
	state.redrive = redrive;
	$("redrive").hidden = false;
	await lookAtAll();
	lookSoon();
	await saying(async () => {
		let over = false;
		while (!over && state.redrive === redrive) {
			const progress = await ask("redrives/" + redrive.redriveId + query({ tenant: filters().tenant }));
			over = progress.over;
			showProgress(redrive, progress);
			if (!over) {
				await new Promise((later) => setTimeout(later, PROGRESS_MILLIS));
			}
		}
	});
	await lookAtAll();
}

function showProgress(redrive, progress) {
	const done = progress.letters - progress.waiting;
	$("redrive-progress").max = Math.max(1, progress.letters);
	$("redrive-progress").value = progress.letters ? done : 1;
	const parts = [counted(progress.resolved, "letter") + " applied"];
	if (progress.parked) {
		parts.push(number(progress.parked) + " still parked because a handler failed again");
	}
	if (progress.discarded) {
		parts.push(number(progress.discarded) + " discarded");
	}
	if (progress.waiting) {
		parts.push(number(progress.waiting) + " waiting");
	}
	const alone = progress.waiting ? unattended(redrive) : null;
	$("redrive-text").textContent = (progress.over ? "Redrive is over: " : "Redrive: ") + parts.join(", ") + "." + (alone ? " " + alone : "");
}

async function lookAtAll() {
	await look();
	if (state.open) {
		await open(state.open.letter.letterId);
	}
}

async function lookUnlessBusy() {
	if (document.visibilityState === "visible" && state.pages === 1 && !document.querySelector("dialog[open]")) {
		if (!state.session) {
			await begin();
		}
		look();
	}
}

function lookSoon() {
	LOOK_SOON_MILLIS.forEach((millis) => setTimeout(lookUnlessBusy, millis));
}

// ---- keys

const typing = (event) => event.target.closest("input, select, textarea, dialog");

function chosen(action) {
	const letter = state.open ? state.open.letter : state.letters.find((each) => each.letterId === state.current);
	if (letter) {
		action(letter);
	}
}

const KEYS = {
	j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
	"/": () => $("filters").elements.projector.focus(),
	"?": () => $("keys").showModal(),
	r: () => lookAtAll(),
	d: () => chosen((letter) => confirmRedrive([letter])),
	x: () => chosen((letter) => confirmDiscard([letter])),
	e: async () => {
		if (state.open && canEdit(state.open)) {
			confirmEdit(state.open);
		}
	}
};

function onKey(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
		return;
	}
	if (event.key === "Escape") {
		if (typing(event)) {
			mark(true);
		} else if (state.open) {
			close();
		}
		return;
	}
	const inside = event.target.closest("pre, .body");
	if (typing(event) || (inside && event.key.startsWith("Arrow"))) {
		return;
	}
	if (event.key === "Enter" && !event.target.closest("button, a") && state.current) {
		event.preventDefault();
		open(state.current);
	} else if (Object.hasOwn(KEYS, event.key)) {
		event.preventDefault();
		KEYS[event.key]();
	}
}

// ---- start

/** Learns who is logged in, and what is allowed. */
async function begin() {
	state.session = await saying(() => ask("session"));
	if (state.session) {
		$("who").textContent = state.session.user || "";
		show($("read-only"), state.session.readOnly);
		document.querySelectorAll("[data-change]").forEach((button) => {
			button.disabled = Boolean(state.session.readOnly);
			button.title = state.session.readOnly || "";
		});
	}
}

async function start() {
	makeStatuses();
	const letter = readAddress();
	let later;
	$("filters").addEventListener("input", (event) => {
		if (event.target.name !== "status") {
			clearTimeout(later);
			later = setTimeout(look, 250);
		}
	});
	$("filters").addEventListener("submit", (event) => event.preventDefault());
	$("filters").addEventListener("reset", () => setTimeout(look));
	$("span").addEventListener("change", look);
	$("more").addEventListener("click", lookFurther);
	$("refresh").addEventListener("click", lookAtAll);
	$("help").addEventListener("click", () => $("keys").showModal());
	$("redrive-all").addEventListener("click", () => confirmRedrive(null));
	$("discard-all").addEventListener("click", () => confirmDiscard(null));
	$("redrive-close").addEventListener("click", () => { state.redrive = null; $("redrive").hidden = true; });
	$("confirm-no").addEventListener("click", () => $("confirm").close());
	document.addEventListener("keydown", onKey);
	await begin();
	await look();
	if (letter) {
		await open(letter);
	}
	setInterval(lookUnlessBusy, LOOK_AGAIN_MILLIS);
	document.body.dataset.ready = "true";
}

start();
