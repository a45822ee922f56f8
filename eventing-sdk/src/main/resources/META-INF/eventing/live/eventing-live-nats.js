/*
 * Eventing SDK: live views in a page that has a connection to NATS, such as one of nats.js over WebSocket. Changes come
 * from NATS, states over HTTP. No dependencies: the page brings the connection.
 *
 *	import { LiveClient } from '/eventing/live/eventing-live.js';
 *	import { overNats } from '/eventing/live/eventing-live-nats.js';
 *	const client = new LiveClient({ tenant: 'acme', transport: overNats(await wsconnect({ servers, user, pass })) });
 *	client.subscribe('stock', 'warehouse-a', { onState, onStatus });
 */

/** The owner of a view is heard once a second. */
const SILENCE = 2500;

/** While it is not heard, states are read as often. */
const READ_EVERY = 3500;

/** Many pages follow a view: not all of them read at once. */
const SPREAD = 500;

/** The longest token of a key that is not hashed. */
const LONGEST = 1024;

function hex(bytes) {
	return [...bytes].map((each) => each.toString(16).padStart(2, '0')).join('');
}

/** The subject of the frames of a key. */
export async function subjectOf(tenant, view, key) {
	const bytes = new TextEncoder().encode(key);
	const plain = [...bytes].map((each) => (/[A-Za-z0-9_-]/.test(String.fromCharCode(each))
		? String.fromCharCode(each) : '%' + hex([each]).toUpperCase())).join('');
	const token = plain.length <= LONGEST ? plain
		: '=' + hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
	return 'projection.' + tenant + '.' + view + '.' + token;
}

/** The frame of a message; null if it is none. */
function frameOf(message) {
	const header = (name) => message.headers?.get('Eventing-' + name) ?? '';
	const [event, epoch, number, from] = ['Event', 'Live-Epoch', 'Version', 'From'].map(header);
	if (event === '' || ![epoch, number, from].every((each) => /^\d+$/.test(each))) {
		return null;
	}
	const frame = { version: epoch + '.' + number, from: epoch + '.' + from };
	if (event === 'digest') {
		frame.digest = true;
	}
	else if (message.data.length > 0) {
		const name = event === 'rebuild' ? 'state' : header('Delta') === 'own' ? 'delta' : 'patch';
		frame[name] = JSON.parse(new TextDecoder().decode(message.data));
	}
	return frame;
}

function report(message, cause) {
	(globalThis.reportError ?? console.error)(new Error(message, { cause }));
}

/** What is heard of the owner of a view, for all of its keys that are followed. */
class Owner {

	constructor(nats, view, now) {
		this.nats = nats;
		this.view = view;
		this.now = now;
		this.followers = new Set();
		this.heardAt = now();
		this.last = null;
		this.subscription = this.#subscribe('projection-owner.' + view);
	}

	#subscribe(subject) {
		const lacking = (error) => report(`'${subject}' is not received, so states are stale. Consider the permission to subscribe`
			+ ' to it.', error);
		try {
			return this.nats.connection.subscribe(subject,
				{ callback: (error, message) => (error ? lacking(error) : this.#beat(message)) });
		}
		catch (error) {
			lacking(error); // the connection is closed
			return null;
		}
	}

	#beat(message) {
		const beat = ['Eventing-Live-Epoch', 'Eventing-Owner'].map((name) => message.headers?.get(name)).join(' ');
		const first = this.last === null;
		// What the owner did before, or another one, may not have come.
		const lost = !first && (this.isSilent() || this.last !== beat);
		this.last = beat;
		this.heardAt = this.now();
		this.followers.forEach((each) => each.beat(lost, first));
	}

	isSilent() {
		return this.now() - this.heardAt > SILENCE;
	}

}

/** One key. LiveClient has one of these where it otherwise has a stream. */
class KeySubscription {

	constructor(nats, client, followed) {
		this.nats = nats;
		this.client = client;
		this.keys = [followed];
		this.followed = followed;
		this.closed = false;
		this.startedAt = client.now();
		this.readAt = this.startedAt;
		/** Whether the server has the subscription. */
		this.subscribed = false;
		this.wasSilent = false;
		this.subscription = null;
		followed.heard = false;
		followed.told = 'connecting';
		this.owner = nats.enter(this);
		this.#begin();
	}

	async #begin() {
		try {
			const subject = await subjectOf(this.client.tenant, this.followed.view, this.followed.key);
			if (this.closed) {
				return;
			}
			this.subscription = this.nats.connection.subscribe(subject,
				{ callback: (error, message) => (error ? this.#refused(subject, error) : this.#message(message)) });
			await this.nats.connection.flush();
			this.subscribed = true;
		}
		catch (error) {
			report(`Changes of key '${this.followed.key}' of '${this.followed.view}' are not received: it is read instead.`, error);
		}
		this.readWithin(0);
	}

	#refused(subject, error) {
		if (!this.closed) {
			report(`The server refuses '${subject}'. Consider the permission to subscribe to it.`, error);
			this.client.refuse(this.followed);
		}
	}

	#message(message) {
		if (this.closed) {
			return;
		}
		let frame;
		try {
			frame = frameOf(message);
		}
		catch (error) {
			report(`A frame of '${message.subject}' is not readable: the state is read.`, error);
			this.readWithin(0);
			return;
		}
		if (frame !== null) {
			if (this.followed.accept(frame)) {
				this.followed.tellState();
			}
			this.client.readIfGap(this.followed);
		}
	}

	/** The connection is made again, and with it the subscription. Frames may have been lost. */
	resume() {
		this.subscribed = this.subscription !== null;
		this.#suspect();
	}

	/**
	 * The owner lives.
	 * @param lost whether frames may be lost
	 * @param first whether it was never heard before
	 */
	beat(lost, first) {
		if (!this.subscribed) {
			return;
		}
		if (lost) {
			this.#suspect();
		}
		else if (first) {
			this.readWithin(SPREAD);
		}
		this.followed.told = 'live';
		this.followed.heard = true;
		this.client.tellStatus(this.followed);
	}

	/** It is stale until it is read. */
	#suspect() {
		this.followed.suspect();
		this.readWithin(SPREAD);
	}

	isSilent() {
		return this.owner.isSilent() || (!this.subscribed && this.client.now() - this.startedAt > SILENCE);
	}

	/** Called several times a second. */
	look() {
		const silent = this.isSilent();
		if (silent && (!this.wasSilent || this.client.now() - this.readAt > READ_EVERY)) {
			this.readWithin(this.wasSilent ? 0 : SPREAD);
		}
		this.wasSilent = silent;
	}

	readWithin(milliseconds) {
		this.readAt = this.client.now();
		setTimeout(() => {
			if (!this.closed) {
				this.client.read(this.followed);
			}
		}, milliseconds * this.client.random());
	}

	close() {
		this.closed = true;
		this.subscription?.unsubscribe();
		this.nats.leave(this);
	}

}

/** All that goes over one connection. */
class Nats {

	constructor(connection) {
		this.connection = connection;
		this.owners = new Map();
		this.#watch().catch((error) => report('The status of the connection to NATS is not known.', error));
	}

	async #watch() {
		for await (const status of this.connection.status()) {
			if (status.type === 'reconnect') {
				await this.#resume();
			}
		}
	}

	async #resume() {
		try {
			await this.connection.flush();
		}
		catch (error) {
			return; // it is lost again: another reconnection follows
		}
		this.owners.forEach((owner) => owner.followers.forEach((each) => each.resume()));
	}

	enter(key) {
		const view = key.followed.view;
		let owner = this.owners.get(view);
		if (!owner) {
			owner = new Owner(this, view, key.client.now);
			this.owners.set(view, owner);
		}
		owner.followers.add(key);
		return owner;
	}

	leave(key) {
		const owner = key.owner;
		if (owner.followers.delete(key) && owner.followers.size === 0) {
			this.owners.delete(owner.view);
			owner.subscription?.unsubscribe();
		}
	}

}

/**
 * The option transport of a LiveClient that has a tenant: changes come over a connection of the page to NATS. It is used
 * as nats.js has it: subscribe(subject, { callback }), flush(), and status(), whose values have a type. Not closed here.
 */
export function overNats(connection) {
	const nats = new Nats(connection);
	return (client, keys) => new KeySubscription(nats, client, keys[0]);
}
