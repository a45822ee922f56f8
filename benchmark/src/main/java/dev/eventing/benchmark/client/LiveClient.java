package dev.eventing.benchmark.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The versions that one client has of its accounts' states. Little, so that a node's heap
 * has next to nothing of it. For one thread.
 */
final class LiveClient {

	private static final String OK = "HTTP/1.1 200";

	private static final String DATA = "data: ";

	private static final String ACCOUNT = "\"key\":\"account-";

	private static final String CHANGE = "\"lastChange\":";

	private static final String LIVE = "\"status\":\"live\"";

	private static final byte[] NOTHING = new byte[0];

	private final int[] accounts;

	private final long[] changes;

	private final LiveFrames frames;

	/** How many of its accounts the server has told to be live. */
	private int live;

	private boolean admitted;

	/** The beginning of a line whose end has not come. */
	private byte[] begun = NOTHING;

	LiveClient(int[] accounts, LiveFrames frames) {
		this.accounts = accounts;
		this.changes = new long[accounts.length];
		Arrays.fill(this.changes, -1);
		this.frames = frames;
	}

	/**
	 * The request. Of HTTP/1.0, so that no chunks begin within lines.
	 * @param path what is asked for, up to the keys
	 */
	ByteBuffer request(String path) {
		StringBuilder request = new StringBuilder("GET ").append(path);
		for (int account : this.accounts) {
			request.append("&key=account-%05d".formatted(account));
		}
		request.append(" HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
		return StandardCharsets.US_ASCII.encode(request.toString());
	}

	/** Takes what has come; all of it is ASCII. */
	void take(ByteBuffer bytes) {
		int from = bytes.position();
		for (int place = from; place < bytes.limit(); place++) {
			if (bytes.get(place) == '\n') {
				line(bytes, from, place);
				from = place + 1;
			}
		}
		this.begun = joined(bytes, from, bytes.limit());
	}

	private void line(ByteBuffer bytes, int from, int to) {
		byte[] line = joined(bytes, from, to);
		this.begun = NOTHING;
		line(new String(line, StandardCharsets.ISO_8859_1));
	}

	private byte[] joined(ByteBuffer bytes, int from, int to) {
		if (from == to) {
			return this.begun;
		}
		byte[] joined = Arrays.copyOf(this.begun, this.begun.length + to - from);
		bytes.get(from, joined, this.begun.length, to - from);
		return joined;
	}

	private void line(String line) {
		if (!this.admitted) {
			if (!line.startsWith(OK)) {
				throw new IllegalStateException("The server answers '" + line.strip() + "'.");
			}
			this.admitted = true;
		}
		if (!line.startsWith(DATA)) {
			return;
		}
		int place = place((int) number(line, ACCOUNT));
		long change = number(line, CHANGE);
		if (change >= 0) {
			this.changes[place] = change;
			this.frames.frame(this.accounts[place], change);
		}
		else if (line.contains(LIVE)) {
			this.live++;
		}
	}

	private int place(int account) {
		for (int place = 0; place < this.accounts.length; place++) {
			if (this.accounts[place] == account) {
				return place;
			}
		}
		throw new IllegalStateException("A client gets account " + account + ", which it did not ask for.");
	}

	/** The number behind this text; -1 if the text is not there. */
	private static long number(String line, String before) {
		int from = line.indexOf(before);
		if (from < 0) {
			return -1;
		}
		int to = from + before.length();
		long number = 0;
		while (to < line.length() && Character.isDigit(line.charAt(to))) {
			number = 10 * number + line.charAt(to) - '0';
			to++;
		}
		return number;
	}

	/** Whether it has had the states of all of its accounts. */
	boolean isLive() {
		return this.live >= this.accounts.length;
	}

	/** Whether the states that it has are those after these changes, by account. */
	boolean has(long[] expected) {
		for (int place = 0; place < this.accounts.length; place++) {
			if (this.changes[place] != expected[this.accounts[place]]) {
				return false;
			}
		}
		return true;
	}

}
