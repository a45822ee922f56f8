/*
 * Eventing SDK: live views in a page. No dependencies; for browsers with ES modules and streams of fetch.
 *
 *	import { subscribe } from '/eventing/live/eventing-live.js';
 *	const stock = subscribe('stock', 'warehouse-a', {
 *		onState: (state) => show(state),
 *		onStatus: (status) => badge(status),
 *	});
 *	stock.close();
 */

const FRAMES_KEPT = 256;

/** A state that was asked for and does not come within this time is asked for again. */
const READ_LIMIT = 10000;

/** What is shown is stale while a state is read for longer. */
const SLOW_READ = 3000;

/** While streams bring nothing, states are read as often. */
const READ_EVERY = 3500;

const STREAM = 'text/event-stream';

const JSON_TYPE = 'application/json';

/** Applies a JSON merge patch (RFC 7396), and changes neither argument. */
export function mergePatch(target, patch) {
	if (!isObject(patch)) {
		return patch;
	}
	const result = isObject(target) ? { ...target } : {};
	for (const [name, value] of Object.entries(patch)) {
		if (value === null) {
			delete result[name];
		}
		else {
			const old = Object.hasOwn(result, name) ? result[name] : undefined;
			// Not by assignment: a member may be called __proto__.
			Object.defineProperty(result, name,
				{ value: mergePatch(old, value), writable: true, enumerable: true, configurable: true });
		}
	}
	return result;
}

function isObject(value) {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A version of a state: of one live epoch, a higher number is newer. Two epochs cannot be compared. */
function version(text) {
	const dot = text.indexOf('.');
	return { epoch: Number(text.slice(0, dot)), number: Number(text.slice(dot + 1)), text };
}

/**
 * The state of one key: joins frames by their versions, and knows when it must be read. Has no connection and no timer.
 */
export class LiveKey {

	constructor(view, key, reduce) {
		this.view = view;
		this.key = key;
		this.reduce = reduce;
		this.state = undefined;
		this.version = null;
		/** Whether frames are missing: the state must be read. */
		this.gap = false;
		this.wanted = null;
		/** Whether nobody knows which frames are missing. */
		this.blind = false;
		this.waiting = null;
		this.behind = 0;
		/** How often it was suspected to lack what is not known, and how much of that the reads have answered. */
		this.suspected = 0;
		this.asked = 0;
		this.answered = 0;
	}

	/** Takes a frame; returns whether the state has changed. */
	accept(frame) {
		if (this.waiting !== null) {
			this.#keep(frame);
			return false;
		}
		return this.#join(frame);
	}

	#keep(frame) {
		if (this.waiting.length < FRAMES_KEPT) {
			this.waiting.push(frame);
		}
		else {
			this.waiting = [frame]; // what is missing shows when they are joined
		}
	}

	#join(frame) {
		const to = version(frame.version);
		const has = this.version;
		if (frame.digest) {
			return has !== null && has.text === to.text ? false : this.#miss(to);
		}
		if ('state' in frame) {
			const newer = has === null || to.epoch > has.epoch || (to.epoch === has.epoch && to.number >= has.number);
			return newer ? this.#become(frame.state, to) : this.#miss(to);
		}
		if (has === null || to.epoch !== has.epoch) {
			return this.#miss(to);
		}
		if (to.number <= has.number) {
			return false; // it came twice, or late
		}
		const bare = !('patch' in frame) && !('delta' in frame); // what it tells must be read
		if (bare || version(frame.from).number !== has.number) {
			return this.#miss(to);
		}
		if ('patch' in frame) {
			return this.#become(mergePatch(this.state, frame.patch), to);
		}
		if (!this.reduce) {
			return this.#miss(to);
		}
		try {
			return this.#become(this.reduce(this.state, frame.delta, { view: this.view, key: this.key, version: to.text }), to);
		}
		catch (error) {
			report(error);
			return this.#miss(to);
		}
	}

	#become(state, to) {
		const same = this.version !== null && this.version.text === to.text;
		this.state = state;
		this.version = to;
		this.behind = 0;
		return !same;
	}

	#miss(to) {
		this.gap = true;
		if (this.wanted === null || to.epoch > this.wanted.epoch
				|| (to.epoch === this.wanted.epoch && to.number > this.wanted.number)) {
			this.wanted = to;
		}
		return false;
	}

	/**
	 * Compares with what the server believes that this client has.
	 * @param position a version, or '-'
	 * @param quiet whether the server has nothing more to send
	 */
	check(position, quiet) {
		if (position === '-' || this.waiting !== null || this.gap) {
			return;
		}
		const believed = version(position);
		if (this.version === null || believed.epoch !== this.version.epoch || believed.number > this.version.number) {
			this.#miss(believed);
		}
		else if (believed.number === this.version.number) {
			this.behind = 0;
		}
		else if (quiet && ++this.behind > 1) {
			// Not once only: what was read may be newer than what the server has sent.
			this.behind = 0;
			this.#miss(believed);
		}
	}

	/** Frames may be missing, and nobody knows which. */
	doubt() {
		this.gap = true;
		this.blind = true;
	}

	/** Frames may be missing that came before now: a read that begins later shows. */
	suspect() {
		this.suspected++;
		this.blind = true;
	}

	/** Whether such a read has not ended yet. */
	isSuspect() {
		return this.answered < this.suspected;
	}

	/**
	 * Begins a read: frames wait until it is done. Returns the version that the answer needs at least, or null if it has
	 * to come from the database: a node that lacks the same frames would answer what this client has.
	 */
	beginRead() {
		const own = this.version;
		const wanted = this.wanted;
		const known = !this.blind && wanted !== null && (own === null || wanted.epoch > own.epoch
			|| (wanted.epoch === own.epoch && wanted.number > own.number));
		this.gap = false;
		this.blind = false;
		this.wanted = null;
		this.asked = this.suspected;
		this.waiting ??= [];
		return known ? wanted.text : null;
	}

	/** Takes what was read, and the frames that came meanwhile. Returns whether the state has changed. */
	endRead(answer) {
		this.answered = this.asked;
		let changed = this.#become(answer.state, version(answer.version));
		const frames = this.waiting;
		this.waiting = null;
		for (const frame of frames) {
			if (this.gap) {
				break; // all that follows is part of the next read
			}
			if (!this.#isOldDigest(frame)) {
				changed = this.#join(frame) || changed;
			}
		}
		return changed;
	}

	/** Of a version that has been read meanwhile. */
	#isOldDigest(frame) {
		const to = version(frame.version);
		return frame.digest === true && to.epoch === this.version.epoch && to.number < this.version.number;
	}

	/** What this client has, as the server wants it. */
	position() {
		return this.version === null ? '-' : this.version.text;
	}

}

/** Splits a stream of text into server-sent events. */
export class EventParser {

	constructor(onEvent) {
		this.onEvent = onEvent;
		this.rest = '';
		this.#clear();
	}

	push(text) {
		this.rest += text;
		let from = 0;
		for (;;) {
			const end = this.rest.indexOf('\n', from);
			if (end < 0) {
				break;
			}
			this.#line(this.rest.slice(from, this.rest[end - 1] === '\r' && end > from ? end - 1 : end));
			from = end + 1;
		}
		this.rest = this.rest.slice(from);
	}

	#line(line) {
		if (line === '') {
			this.onEvent(this.event);
			this.#clear();
			return;
		}
		const colon = line.indexOf(':');
		if (colon === 0) {
			this.event.comment = true;
			return;
		}
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
		if (name === 'data') {
			this.event.data = this.event.data === undefined ? value : this.event.data + '\n' + value;
		}
		else if (name === 'id' || name === 'event' || name === 'retry') {
			this.event[name] = value;
		}
	}

	#clear() {
		this.event = {};
	}

}

/** Milliseconds that never go back, as Date.now() may, and go on in a sleep, in which performance.now() may stand still. */
function clock() {
	let time = 0;
	let [steady, wall] = [performance.now(), Date.now()];
	return () => {
		const [steadyNow, wallNow] = [performance.now(), Date.now()];
		const slept = (wallNow - wall) - (steadyNow - steady);
		time += steadyNow - steady + (slept > 1000 ? slept : 0);
		[steady, wall] = [steadyNow, wallNow];
		return time;
	};
}

function isOf(response, type) {
	return (response.headers.get('Content-Type') ?? '').toLowerCase().startsWith(type);
}

/** Whether nobody is logged in: the server answers so, or sends to the page of a login. */
function wantsLogin(response, type) {
	return response.status === 401 || (response.redirected && response.ok && !isOf(response, type));
}

/** Rejects when the signal ends what was asked for. */
function ended(signal) {
	return new Promise((resolve, reject) => {
		signal.addEventListener('abort', () => reject(new Error('No answer in time.')), { once: true });
	});
}

/** Half of a surrogate pair cannot be part of a URL. */
function isEncodable(text) {
	try {
		encodeURIComponent(text);
		return true;
	}
	catch (error) {
		return false;
	}
}

/** A key with the functions that follow it. */
class Followed extends LiveKey {

	constructor(view, key) {
		super(view, key, undefined);
		this.subscribers = new Set();
		this.told = 'connecting';
		/** Whether this connection has told a status. */
		this.heard = false;
		/** For good. */
		this.refused = false;
		/** Until somebody has logged in. */
		this.withoutLogin = false;
		this.unreadable = false;
		this.failures = 0;
		/** Since when it is read; null if it is not. */
		this.readSince = null;
	}

	tellState() {
		for (const each of this.subscribers) {
			each.state(this);
		}
	}

	tellStatus(status) {
		for (const each of this.subscribers) {
			each.status(status);
		}
	}

}

/** One connection with several keys. Reconnects until it is closed. */
class Stream {

	constructor(client, keys) {
		this.client = client;
		this.keys = keys;
		this.closed = false;
		this.heardAt = client.now();
		this.readAt = this.heardAt;
		this.attempts = 0;
		this.retry = 3000;
		this.abort = null;
		this.wake = null;
		keys.forEach((each) => { each.heard = false; });
		this.#run();
	}

	close() {
		this.closed = true;
		this.abort?.abort();
		this.wake?.();
	}

	/** Whether the server was silent for too long. */
	isSilent() {
		return this.client.now() - this.heardAt > this.client.staleAfter;
	}

	/** Called several times a second. */
	look() {
		if (this.isSilent() && this.client.now() - this.startedAt > this.client.staleAfter) {
			this.#giveUp();
		}
		if (this.client.isHeldBack() && this.client.now() - this.readAt > READ_EVERY) {
			this.readAt = this.client.now();
			this.keys.filter((each) => each.waiting === null).forEach((each) => this.client.read(each));
		}
	}

	#giveUp() {
		if (!this.abort.signal.aborted) {
			this.client.mute += this.mute ? 1 : 0;
			this.abort.abort();
		}
	}

	async #run() {
		while (!this.closed) {
			let wait = null;
			this.abort = new AbortController();
			this.startedAt = this.client.now();
			this.mute = true;
			try {
				const response = await this.client.ask('events', this.keys, this.abort.signal,
					{ 'Last-Event-ID': this.keys.map((each) => each.position()).join(','), Accept: STREAM });
				if (response.ok && isOf(response, STREAM)) {
					await this.#read(response);
				}
				else {
					this.mute = false;
					wait = await this.client.refused(response, this);
				}
			}
			catch (error) {
				// The connection is lost, or was given up.
			}
			this.abort.abort();
			if (!this.closed) {
				await this.#pause(wait ?? this.#backOff());
			}
		}
	}

	/** Spread, so that the clients of a node which stopped do not come at once. */
	#backOff() {
		const wait = Math.min(30000, this.retry * 2 ** this.attempts) * (0.5 + this.client.random());
		this.attempts = Math.min(this.attempts + 1, 6);
		return wait;
	}

	#pause(wait) {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, wait);
			this.wake = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}

	async #read(response) {
		this.keys.forEach((each) => {
			each.heard = false;
			each.withoutLogin = false;
		});
		const every = Number(response.headers.get('Eventing-Keep-Alive'));
		if (every > 0) {
			this.client.keepAlive(every);
		}
		const parser = new EventParser((event) => this.#take(event));
		const decoder = new TextDecoder();
		const reader = response.body.getReader();
		for (;;) {
			const { done, value } = await reader.read();
			if (done || this.closed) {
				return;
			}
			this.heardAt = this.client.now();
			this.mute = false;
			this.client.mute = 0;
			parser.push(decoder.decode(value, { stream: true }));
		}
	}

	#take(event) {
		if (event.retry !== undefined && /^\d+$/.test(event.retry)) {
			this.retry = Number(event.retry);
		}
		if (event.data !== undefined) {
			this.attempts = 0;
			const frame = JSON.parse(event.data);
			const followed = this.keys.find((each) => each.view === frame.view && each.key === frame.key);
			if (followed) {
				this.#frame(followed, frame);
			}
		}
		if (event.id !== undefined) {
			const positions = event.id.split(',');
			this.keys.forEach((each, i) => {
				each.check(positions[i] ?? '-', event.comment === true);
				this.client.readIfGap(each);
			});
		}
	}

	#frame(followed, frame) {
		if (frame.status !== undefined) {
			followed.told = frame.status;
			followed.heard = true;
		}
		else if (followed.accept(frame)) {
			followed.tellState();
		}
		this.client.readIfGap(followed);
		this.client.tellStatus(followed);
	}

}

/**
 * Follows states. All subscriptions of a client share connections.
 *
 * Options: url (of the live views, with a slash at its end), tenant (sent as a parameter of the query), headers (an
 * object or Headers, or a function that returns these, or a promise of them), keysPerConnection, staleAfter
 * (milliseconds), transport (for changes that do not come as server-sent events, such as overNats of
 * eventing-live-nats.js), fetch (a function that does what that of the page does), random.
 */
export class LiveClient {

	constructor(options = {}) {
		if (options.transport && !options.tenant) {
			throw new Error("A transport has subjects of a tenant. Consider the option 'tenant'.");
		}
		this.url = options.url ?? new URL('.', import.meta.url).href;
		this.tenant = options.tenant;
		this.headers = options.headers ?? {};
		// Not as a method: that of the page refuses to be one.
		this.fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);
		this.random = options.random ?? Math.random;
		this.now = clock();
		this.fixed = options.staleAfter !== undefined;
		this.staleAfter = options.staleAfter ?? 12500;
		this.open = options.transport ?? ((client, keys) => new Stream(client, keys));
		// A transport of the page has one connection for all keys: none is opened again when others change.
		this.keysPerConnection = options.transport ? 1 : options.keysPerConnection ?? 32;
		this.followed = new Map();
		this.streams = [];
		this.changing = null;
		this.watch = null;
		/** How many streams in a row have brought nothing. */
		this.mute = 0;
		this.complaints = new Set();
	}

	/**
	 * Follows a key. Options: onState(state, { view, key, version }), which gets null if there is no state;
	 * onStatus(status) with 'connecting', 'live', 'stale', 'refused' or 'closed'; reduce(state, delta, { view, key,
	 * version }) for a view whose deltas are its own. Without it such a state is read after each delta. States are
	 * shared between subscriptions: do not change them.
	 */
	subscribe(view, key, options = {}) {
		const name = JSON.stringify([view, key]);
		let followed = this.followed.get(name);
		if (!followed) {
			followed = new Followed(view, key);
			this.followed.set(name, followed);
			if (isEncodable(view) && isEncodable(key)) {
				this.#change();
			}
			else {
				this.#refuse(followed, 400); // as the server would
			}
		}
		followed.reduce ??= options.reduce;
		const subscription = new Subscription(this, name, followed, options);
		followed.subscribers.add(subscription);
		subscription.begin();
		return subscription;
	}

	leave(name, subscription) {
		const followed = this.followed.get(name);
		if (followed?.subscribers.delete(subscription) && followed.subscribers.size === 0) {
			this.followed.delete(name);
			this.#change();
		}
	}

	/** Ends all subscriptions. */
	close() {
		for (const followed of [...this.followed.values()]) {
			[...followed.subscribers].forEach((each) => each.close());
		}
	}

	/** Once for all subscriptions that a page makes together. */
	#change() {
		this.changing ??= setTimeout(() => {
			this.changing = null;
			this.#connect();
		}, 20);
	}

	#connect() {
		const wanted = [...this.followed.values()].filter((each) => !each.refused);
		// Connections of which each key is still followed go on.
		const kept = this.streams.filter((each) => !each.closed && each.keys.every((key) => wanted.includes(key)));
		const covered = new Set(kept.flatMap((each) => each.keys));
		let missing = wanted.filter((each) => !covered.has(each));
		if (missing.length > 0 && kept.length > 0) {
			// Browsers allow few connections: fill one that has room, rather than opening another.
			const room = kept.find((each) => each.keys.length + missing.length <= this.keysPerConnection);
			if (room) {
				kept.splice(kept.indexOf(room), 1);
				missing = [...room.keys, ...missing];
			}
		}
		this.streams.filter((each) => !kept.includes(each)).forEach((each) => each.close());
		this.streams = kept;
		for (const keys of this.#groups(missing)) {
			this.streams.push(this.open(this, keys));
		}
		this.#watch(wanted.length > 0);
	}

	/** Servers limit the keys of a connection, and the length of a URL. */
	#groups(keys) {
		const groups = [];
		let length = 0;
		for (const each of keys) {
			const own = encodeURIComponent(each.view).length + encodeURIComponent(each.key).length + 11;
			const last = groups.at(-1);
			if (last && last.length < this.keysPerConnection && length + own < 4000) {
				last.push(each);
				length += own;
			}
			else {
				groups.push([each]);
				length = own;
			}
		}
		return groups;
	}

	#watch(needed) {
		if (needed && this.watch === null) {
			this.watch = setInterval(() => this.#look(), 500);
		}
		else if (!needed && this.watch !== null) {
			clearInterval(this.watch);
			this.watch = null;
		}
	}

	#look() {
		for (const stream of this.streams) {
			stream.look();
			stream.keys.forEach((each) => this.tellStatus(each));
		}
	}

	/** A server that speaks at other times than the usual ones tells so. */
	keepAlive(every) {
		if (!this.fixed) {
			this.staleAfter = Math.max(2000, every * 2.5);
		}
	}

	/** Whether streams bring nothing, as behind a proxy that buffers them. */
	isHeldBack() {
		return this.mute > 1;
	}

	status(followed) {
		if (followed.refused || followed.withoutLogin) {
			return 'refused';
		}
		if (followed.version === null) {
			return 'connecting';
		}
		const stream = this.streams.find((each) => each.keys.includes(followed));
		if (!stream || stream.isSilent() || followed.unreadable || followed.isSuspect() || this.#isSlow(followed)) {
			return 'stale';
		}
		if (!followed.heard && this.now() - stream.startedAt > this.staleAfter) {
			return 'stale';
		}
		return followed.told === 'live' || followed.told === 'connecting' ? followed.told : 'stale';
	}

	#isSlow(followed) {
		return followed.readSince !== null && this.now() - followed.readSince > SLOW_READ;
	}

	tellStatus(followed) {
		followed.tellStatus(this.status(followed));
	}

	/** Asks the server, until the signal ends it. */
	ask(what, keys, signal, headers = {}, least = null) {
		return Promise.race([this.#ask(what, keys, signal, headers, least), ended(signal)]);
	}

	async #ask(what, keys, signal, headers, least) {
		let request;
		try {
			request = [this.url + what + '?' + this.#query(keys, least), { headers: await this.#headers(headers), signal,
				cache: 'no-store', credentials: 'same-origin' }];
		}
		catch (error) {
			this.#complain("Nothing is asked of the server: a request cannot be made. Consider the options 'headers' and 'tenant'.",
				error);
			throw error;
		}
		return this.fetch(...request);
	}

	#query(keys, least) {
		const query = [];
		let view = null;
		for (const each of keys) {
			if (each.view !== view) {
				query.push('view=' + encodeURIComponent(each.view));
				view = each.view;
			}
			query.push('key=' + encodeURIComponent(each.key));
		}
		if (this.tenant !== undefined) {
			query.push('tenant=' + encodeURIComponent(this.tenant));
		}
		if (least !== null) {
			query.push('version=' + encodeURIComponent(least));
		}
		return query.join('&');
	}

	/** As an object: a function of the page that stands for fetch may add to it. */
	async #headers(more) {
		const all = new Headers(await (typeof this.headers === 'function' ? this.headers() : this.headers) ?? {});
		Object.entries(more).forEach(([name, value]) => all.set(name, value));
		return Object.fromEntries(all);
	}

	/** Once: what fails is tried again, and fails again. */
	#complain(message, cause) {
		if (!this.complaints.has(message)) {
			this.complaints.add(message);
			report(new Error(message, { cause }));
		}
	}

	/** Decides what follows an answer that is no stream; returns how long to wait, or null. */
	async refused(response, stream) {
		const after = Number(response.headers.get('Retry-After'));
		if (after > 0) {
			return after * 1000 * (1 + this.random() / 2);
		}
		if (wantsLogin(response, STREAM)) {
			stream.keys.forEach((each) => this.#needsLogin(each));
		}
		else if (response.ok) {
			this.#complain(`The server answers with '${response.headers.get('Content-Type')}' where live views have a stream.`
				+ " Consider the option 'url'.");
		}
		else if (response.status === 403 || response.status === 400) {
			await this.#refusedForOne(response.status, stream);
		}
		else if ([413, 414, 431].includes(response.status)) {
			this.#divide(stream);
		}
		return null;
	}

	/** One key is enough to have all refused: asks for each. */
	async #refusedForOne(status, stream) {
		if (stream.keys.length === 1) {
			this.#refuse(stream.keys[0], status);
			return;
		}
		const answers = await Promise.all(stream.keys.map((each) => this.#state(each, null)));
		if (status === 400 && answers.every((each) => each !== null)) {
			this.#divide(stream); // no key is wrong: there are too many of them
		}
	}

	#divide(stream) {
		if (stream.keys.length === 1) {
			this.refuse(stream.keys[0]);
			return;
		}
		this.keysPerConnection = Math.max(1, Math.ceil(stream.keys.length / 2));
		stream.close();
		this.#change();
	}

	/** It is asked for again, with pauses: somebody may log in meanwhile. */
	#needsLogin(followed) {
		followed.withoutLogin = true;
		this.tellStatus(followed);
	}

	#refuse(followed, status) {
		if (status === 400) {
			this.#complain(`The server cannot read key '${followed.key}' of '${followed.view}'. Consider the name of the view,`
				+ ' and the key.');
		}
		this.refuse(followed);
	}

	/** Ends what follows a key without a right to it. */
	refuse(followed) {
		followed.refused = true;
		this.tellStatus(followed);
		this.#change();
	}

	/** Reads the state of a key: after what has happened, frames may be missing. */
	read(followed) {
		followed.doubt();
		this.readIfGap(followed);
	}

	/** Reads the state of a key if frames are missing. */
	readIfGap(followed) {
		if (followed.gap && followed.waiting === null) {
			followed.readSince = this.now();
			this.#read(followed, followed.beginRead());
		}
	}

	async #read(followed, least) {
		for (;;) {
			// Spread, so that all clients which lack a frame do not ask at once.
			const wait = followed.failures === 0 ? 50 : Math.min(10000, 250 * 2 ** followed.failures);
			await new Promise((resolve) => setTimeout(resolve, wait * this.random()));
			if (followed.subscribers.size === 0) {
				return;
			}
			try {
				const answer = await this.#state(followed, least);
				if (followed.refused) {
					return;
				}
				if (answer !== null) {
					this.#readDone(followed, answer);
					return;
				}
			}
			catch (error) {
				// As if it had not answered.
			}
			followed.failures = Math.min(followed.failures + 1, 8);
			followed.unreadable = true;
			this.tellStatus(followed);
		}
	}

	/** Asks for the state of a key, once. Null if the server refuses it, or does not have it now. */
	async #state(followed, least) {
		const limit = new AbortController();
		const timer = setTimeout(() => limit.abort(), READ_LIMIT);
		try {
			const response = await this.ask('state', [followed], limit.signal, {}, least);
			if (wantsLogin(response, JSON_TYPE)) {
				this.#needsLogin(followed);
			}
			else if (response.status === 403 || response.status === 400) {
				this.#refuse(followed, response.status);
			}
			return response.ok ? await response.json() : null;
		}
		finally {
			clearTimeout(timer);
			limit.abort(); // what was not read of it
		}
	}

	#readDone(followed, answer) {
		const changed = followed.endRead(answer);
		followed.failures = 0;
		followed.unreadable = false;
		followed.withoutLogin = false;
		followed.readSince = null;
		if (this.isHeldBack()) {
			this.#complain('The server answers, and streams bring nothing: states are read instead. Consider a proxy that does not'
				+ ' buffer text/event-stream.');
		}
		if (changed) {
			followed.tellState();
		}
		this.tellStatus(followed);
		this.readIfGap(followed);
	}

}

/** What subscribe returns. */
class Subscription {

	#client;

	#name;

	#followed;

	#options;

	#closed = false;

	#status = null;

	#version = null;

	constructor(client, name, followed, options) {
		this.#client = client;
		this.#name = name;
		this.#followed = followed;
		this.#options = options;
	}

	/** Not at once: subscribe has not returned yet. */
	begin() {
		queueMicrotask(() => {
			if (this.#followed.version !== null) {
				this.state(this.#followed);
			}
			this.status(this.#client.status(this.#followed));
		});
	}

	state(followed) {
		if (!this.#closed && this.#version !== followed.version) {
			this.#version = followed.version;
			call(this.#options.onState, followed.state,
				{ view: followed.view, key: followed.key, version: followed.version.text });
		}
	}

	status(status) {
		if (!this.#closed && this.#status !== status) {
			this.#status = status;
			call(this.#options.onStatus, status);
		}
	}

	close() {
		this.status('closed');
		this.#closed = true;
		this.#client.leave(this.#name, this);
	}

}

function call(listener, ...values) {
	try {
		listener?.(...values);
	}
	catch (error) {
		report(error);
	}
}

function report(error) {
	(globalThis.reportError ?? console.error)(error);
}

let shared;

/** Follows a key over the client that all of the page share. */
export function subscribe(view, key, options) {
	shared ??= new LiveClient();
	return shared.subscribe(view, key, options);
}
