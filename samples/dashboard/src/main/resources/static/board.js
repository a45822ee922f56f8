/*
 * The page of a house: follows a key of the live view for each card. What it shows is always a whole state, which the
 * module has joined; the worst status of all keys is that of the page.
 */
import { subscribe } from '/eventing/live/eventing-live.js';

const STATUSES = ['live', 'connecting', 'stale', 'refused', 'closed'];

const RATE_SECONDS = 5;

const SLOTS = 60;

const WIDTH = 600;

const HEIGHT = 98;

const number = new Intl.NumberFormat('en');

const percent = new Intl.NumberFormat('en', { style: 'percent' });

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

const element = (id) => document.getElementById(id);

const cards = new Map();

/** Cards whose state has changed since they were drawn. */
const changed = new Set();

/** How many events were counted at which time, for the rate. */
let counts = [];

let staleSince = null;

class Card {

	constructor(key, title) {
		this.state = null;
		this.status = 'connecting';
		const content = element('card').content.cloneNode(true);
		this.article = content.querySelector('article');
		this.article.dataset.key = key;
		this.find('figcaption').textContent = title;
		this.find('svg').setAttribute('aria-label', `How many were reserved in the ${title}`);
		element('cards').append(content);
	}

	find(selector) {
		return this.article.querySelector(selector);
	}

	draw() {
		const state = this.state;
		if (!state) {
			return;
		}
		const taken = state.held + state.committed;
		const share = state.units > 0 ? taken / state.units : 0;
		this.article.dataset.full = share >= 0.9;
		this.find('h2').textContent = state.title;
		this.find('[data-part=taken]').textContent = number.format(taken);
		this.find('[data-part=units]').textContent = number.format(state.units);
		this.find('[data-part=percent]').textContent = percent.format(share);
		this.find('.bar .committed').style.flexGrow = state.committed;
		this.find('.bar .held').style.flexGrow = state.held;
		this.find('.bar').style.setProperty('--share', share);
		this.number('unreserved', state.units - taken);
		this.number('held', state.held);
		this.number('committed', state.committed);
		this.number('commits', state.totals.committed);
		this.number('releases', state.totals.released);
		this.number('expiries', state.totals.expired);
		this.chart(state);
	}

	number(name, value) {
		this.find(`[data-number=${name}]`).textContent = number.format(value);
	}

	chart(state) {
		const slots = Object.entries(state.history ?? {}).map(([slot, taken]) => [Number(slot), taken])
			.sort((one, other) => one[0] - other[0]);
		if (slots.length === 0) {
			return;
		}
		const last = slots.at(-1)[0];
		const x = (slot) => ((slot - last + SLOTS - 1) / (SLOTS - 1) * WIDTH).toFixed(1);
		const y = (taken) => (1 + HEIGHT * (1 - Math.min(1, taken / Math.max(1, state.units)))).toFixed(1);
		const points = slots.map(([slot, taken]) => `${x(slot)},${y(taken)}`).join(' ');
		this.find('polyline').setAttribute('points', points);
		this.find('polygon').setAttribute('points', `${x(slots[0][0])},99 ${points} ${x(last)},99`);
	}

}

function total(part) {
	return [...cards.values()].filter((card) => card.state).reduce((sum, card) => sum + part(card.state), 0);
}

function draw() {
	changed.forEach((card) => card.draw());
	changed.clear();
	const units = total((state) => state.units);
	if (units > 0) {
		element('share').textContent = percent.format(total((state) => state.held + state.committed) / units);
		element('events').textContent = number.format(total((state) => state.totals.events));
	}
}

function change(card) {
	if (changed.size === 0) {
		requestAnimationFrame(draw);
	}
	changed.add(card);
}

function tick() {
	const now = performance.now();
	element('clock').textContent = clock.format(new Date());
	counts.push({ at: now, events: total((state) => state.totals.events) });
	counts = counts.filter((each) => each.at > now - RATE_SECONDS * 1000 - 500);
	const [first, last] = [counts[0], counts.at(-1)];
	if (last.at > first.at && first.events > 0) {
		element('rate').textContent = number.format(
			Math.max(0, Math.round((last.events - first.events) / (last.at - first.at) * 1000)));
	}
}

function showStatus() {
	const worst = [...cards.values()].map((card) => card.status)
		.reduce((one, other) => STATUSES.indexOf(one) < STATUSES.indexOf(other) ? other : one, 'live');
	if (worst === document.body.dataset.status) {
		return;
	}
	document.body.dataset.status = worst;
	element('status-text').textContent = worst;
	if (worst === 'live') {
		staleSince = null;
	}
	else {
		staleSince ??= new Date();
	}
	showNotice(worst);
}

function showNotice(status) {
	const notice = element('notice');
	notice.hidden = status !== 'stale' && status !== 'refused';
	if (status === 'stale') {
		notice.textContent = `These numbers may be old: since ${clock.format(staleSince)} it is not sure that changes arrive.`;
	}
	else if (status === 'refused') {
		const link = document.createElement('a');
		link.href = '/login';
		link.textContent = 'Log in again';
		notice.replaceChildren('These numbers are not shown to you any more. ', link);
	}
}

function follow(board) {
	document.title = board.title;
	element('house').textContent = board.title;
	const span = `last ${Math.round(board.slotSeconds * SLOTS / 60)} minutes`;
	for (const key of board.keys) {
		const card = new Card(key, span);
		cards.set(key, card);
		subscribe(board.view, key, {
			onState: (state) => {
				card.state = state;
				change(card);
			},
			onStatus: (status) => {
				card.status = status;
				showStatus();
			},
		});
	}
}

async function start() {
	for (;;) {
		try {
			const response = await fetch('/board', { cache: 'no-store' });
			if (response.status === 401) {
				location.assign('/login');
				return;
			}
			if (response.ok) {
				follow(await response.json());
				return;
			}
		}
		catch (error) {
			// The server does not answer: ask again.
		}
		await new Promise((resolve) => setTimeout(resolve, 2000));
	}
}

setInterval(tick, 1000);
tick();
start();
