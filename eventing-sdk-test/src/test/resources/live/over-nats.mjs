/*
 * Live views over NATS as a page has them, in Node.js: the modules that the application serves, and a client from npm.
 * Lines of stdin are commands, lines of stdout are what happened. Arguments: HTTP address of live views, WebSocket address,
 * tenant, user for HTTP, user for NATS, package, folder of packages.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , url, servers, tenant, login, natsUser, name, packages] = process.argv;

function say(what) {
	process.stdout.write(JSON.stringify(what) + '\n');
}

globalThis.reportError = (error) => say({ error: error.message });

async function served(module) {
	const response = await fetch(url + module);
	const file = join(await mkdtemp(join(tmpdir(), 'eventing-live-')), module.replace('.js', '.mjs'));
	await writeFile(file, await response.text());
	return import(pathToFileURL(file));
}

const { LiveClient } = await served('eventing-live.js');
const { overNats, subjectOf } = await served('eventing-live-nats.js');
const npm = createRequire(join(packages, 'package.json'))(name);
const connect = npm.wsconnect ?? npm.connect;

let connection;
try {
	connection = await connect({ servers, user: natsUser, pass: natsUser, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
}
catch (error) {
	say({ refused: error.message });
	process.exit(0);
}

let drop = 0;
/** The connection, which loses frames if the test has it so. */
const lossy = {
	flush: () => connection.flush(),
	status: () => connection.status(),
	subscribe: (subject, options) => connection.subscribe(subject, { callback: (error, message) => {
		const event = message?.headers?.get('Eventing-Event');
		if (event && event !== 'digest' && drop > 0) {
			drop--;
			say({ dropped: message.subject });
		}
		else {
			options.callback(error, message);
		}
	} }),
};

const client = new LiveClient({
	url,
	tenant,
	transport: overNats(lossy),
	headers: { Authorization: 'Basic ' + btoa(login + ':' + login) },
	fetch: async (...request) => {
		const response = await fetch(...request);
		if (response.ok) {
			say({ read: (await response.clone().json()).version, least: new URL(request[0]).searchParams.get('version') ?? '' });
		}
		return response;
	},
});

const subscriptions = new Map();

const commands = {
	follow(view, key) {
		subscriptions.set(key, client.subscribe(view, key, {
			onState: (state, { version }) => say({ key, state, version }),
			onStatus: (status) => say({ key, status }),
		}));
	},
	leave(key) {
		subscriptions.get(key).close();
	},
	drop(count) {
		drop = Number(count);
		say({ dropping: drop });
	},
	async subject(...key) {
		say({ subject: await subjectOf(tenant, 'v', decodeURIComponent(key.join(' '))) });
	},
	/** What the server has the client subscribe to. */
	async listen(subject) {
		connection.subscribe(subject, { callback: (error, message) => say(error
			? { listen: subject, refused: error.message } : { listen: subject, got: message.subject }) });
		await connection.flush();
		say({ listen: subject, sent: true });
	},
	async publish(subject) {
		connection.publish(subject, new Uint8Array(0));
		await connection.flush();
		say({ publish: subject, sent: true });
	},
};

(async () => {
	for await (const status of connection.status()) {
		say({ connection: status.type, about: status.error?.message ?? JSON.stringify(status.permissionContext ?? '') });
	}
})();

say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
	const [command, ...rest] = line.split(' ');
	await commands[command](...rest);
}
process.exit(0);
