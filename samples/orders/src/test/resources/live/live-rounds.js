/*
 * Gives the module of live views what a bad connection gives: frames that are lost, doubled and late. The seed of a
 * round decides all of it. Each round must end with the state that the server has.
 */
import { EventParser, LiveKey, mergePatch } from './eventing-live.js';

function generator(seed) {
	let state = seed | 0;
	return () => {
		state = state + 0x6D2B79F5 | 0;
		let mixed = Math.imul(state ^ state >>> 15, 1 | state);
		mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
		return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
	};
}

function isObject(value) {
	return typeof value === 'object' && value !== null;
}

function patch(before, after) {
	const result = {};
	for (const name of Object.keys(after)) {
		if (isObject(before[name]) && isObject(after[name])) {
			const inner = patch(before[name], after[name]);
			if (Object.keys(inner).length > 0) {
				result[name] = inner;
			}
		}
		else if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) {
			result[name] = after[name];
		}
	}
	for (const name of Object.keys(before).filter((each) => !(each in after))) {
		result[name] = null;
	}
	return result;
}

function sorted(value) {
	return JSON.stringify(value, (name, each) => isObject(each)
		? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each);
}

class Server {

	constructor(random, own) {
		this.random = random;
		this.own = own;
		this.epoch = 1;
		this.number = 0;
		this.state = {};
	}

	version(number = this.number) {
		return this.epoch + '.' + number;
	}

	whole() {
		return { view: 'v', key: 'k', version: this.version(), state: structuredClone(this.state) };
	}

	change() {
		const before = structuredClone(this.state);
		const from = this.number;
		for (let steps = this.random() < 0.2 ? 2 : 1; steps > 0; steps--) {
			const name = 'abcd'[Math.floor(this.random() * 4)];
			const what = this.random();
			if (what < 0.2) {
				delete this.state[name];
			}
			else if (what < 0.6) {
				this.state[name] = Math.floor(this.random() * 5);
			}
			else {
				const old = isObject(this.state[name]) ? this.state[name] : {};
				this.state[name] = { ...old, ['xy'[Math.floor(this.random() * 2)]]: Math.floor(this.random() * 5) };
			}
			this.number++;
		}
		return { view: 'v', key: 'k', from: this.version(from), version: this.version(),
			[this.own ? 'delta' : 'patch']: patch(before, this.state) };
	}

	/** A switch of the view: another live epoch, of which versions begin anywhere. */
	become() {
		this.epoch++;
		this.number = Math.floor(this.random() * this.number) + 1;
		this.state = { epoch: this.epoch };
		return this.whole();
	}

}

class Round {

	constructor(seed) {
		this.random = generator(seed);
		this.server = new Server(this.random, seed % 4 === 0);
		this.key = new LiveKey('v', 'k', seed % 8 === 0 ? (state, delta) => mergePatch(state ?? {}, delta) : undefined);
		this.digests = seed % 3 === 0;
		this.wire = [this.server.whole()];
		this.reading = null;
		this.reads = 0;
		this.last = null;
	}

	run() {
		for (let i = 0; i < 120; i++) {
			const what = this.random();
			if (what < 0.5) {
				this.wire.push(this.server.change());
			}
			else if (what < 0.53) {
				this.wire.push(this.server.become());
			}
			this.deliver();
			this.read();
		}
		while (this.wire.length > 0) {
			this.deliver();
		}
		for (let i = 0; i < 100; i++) {
			this.tell();
			this.begin();
			this.read();
		}
		return sorted(this.key.state) === sorted(this.server.state) && this.key.position() === this.server.version();
	}

	deliver() {
		const frame = this.wire.shift();
		const what = this.random();
		if (frame === undefined || what < 0.15) {
			return; // lost
		}
		if (what < 0.3) {
			this.wire.splice(Math.floor(this.random() * this.wire.length), 0, frame); // doubled
		}
		else if (what > 0.85 && this.wire.length > 0) {
			this.wire.splice(1 + Math.floor(this.random() * this.wire.length), 0, frame); // late
			return;
		}
		this.key.accept(frame);
		this.key.check(frame.version, false);
		this.begin();
	}

	/** What the server has: by a keep-alive, or over NATS by a digest, which may be late. */
	tell() {
		if (this.digests) {
			this.key.accept({ version: this.random() < 0.1 ? '1.1' : this.server.version(), digest: true });
		}
		else {
			this.key.check(this.server.version(), true);
		}
	}

	begin() {
		if (this.key.gap && this.key.waiting === null) {
			this.key.beginRead();
			this.reading = { answer: null };
			this.reads++;
		}
	}

	/** Request and answer of a read take a while, in which frames arrive. */
	read() {
		if (this.reading === null || this.random() < 0.5) {
			return;
		}
		if (this.reading.answer === null) {
			this.reading.answer = this.server.whole();
			return;
		}
		const answer = this.reading.answer;
		this.reading = null;
		this.key.endRead(answer);
		this.begin();
	}

}

/** The seeds of rounds that did not end well, and how often states were read. */
export function rounds(count) {
	const failed = [];
	let reads = 0;
	for (let seed = 1; seed <= count; seed++) {
		const round = new Round(seed);
		if (!round.run()) {
			failed.push(seed);
		}
		reads += round.reads;
	}
	return { failed, reads };
}

/** The places of a cut in a stream at which it is read differently. */
export function cuts() {
	const text = 'retry: 10\n\nid: 1.2\r\nevent: delta\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: keep\nid: 1.3\n\n';
	const read = (parts) => {
		const events = [];
		const parser = new EventParser((event) => events.push(event));
		parts.forEach((part) => parser.push(part));
		return JSON.stringify(events);
	};
	const whole = read([text]);
	return [...text].map((character, at) => at).filter((at) => read([text.slice(0, at), text.slice(at)]) !== whole);
}
