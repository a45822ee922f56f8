package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.PercentCoding;
import io.nats.client.impl.Headers;
import io.nats.client.support.IncomingHeadersProcessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Held against the client's own parser. */
class HeaderReaderTests {

	private static final String VERSION = "NATS/1.0\r\n";

	private final HeaderReader reader = new HeaderReader();

	@Test
	void readsWhatTheClientReads() {
		Random random = new Random(11);
		String visible = "ABCxyz019-_.!~/|";
		for (int round = 0; round < 20_000; round++) {
			StringBuilder block = new StringBuilder(VERSION);
			for (int line = random.nextInt(24); line > 0; line--) {
				block.append(text(random, visible, 1 + random.nextInt(8)))
					.append(random.nextInt(9) == 0 ? "\t:" : ":")
					.append(text(random, " \t", random.nextInt(3)))
					.append(text(random, visible + " :\t\"\u0001\u007f", random.nextInt(40)))
					.append("\r\n");
			}
			byte[] bytes = block.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
			assertThat(valuesOf(read(bytes))).as("%s", block).isEqualTo(byTheClient(bytes));
		}
	}

	@Test
	void takesNothingThatTheClientDoesNotTakeAndNeverThrows() {
		Random random = new Random(12);
		byte[] good = (VERSION + "ce-id:1\r\nce-type: Deposited\r\nA:\r\nA:b c\r\n\r\n")
			.getBytes(StandardCharsets.US_ASCII);
		byte[] odd = { 0, ' ', '\t', '\r', '\n', ':', 'a', (byte) 0xC3, (byte) 0xA9, 127 };
		int taken = 0;
		for (int round = 0; round < 200_000; round++) {
			byte[] bytes = good.clone();
			for (int change = 1 + random.nextInt(4); change > 0; change--) {
				bytes[random.nextInt(bytes.length)] = odd[random.nextInt(odd.length)];
			}
			int length = (random.nextInt(4) == 0) ? random.nextInt(bytes.length) : bytes.length;
			EventHeaders read = this.reader.read(bytes, 0, length);
			if (!isMalformed(read)) {
				taken++;
				byte[] block = encoded(java.util.Arrays.copyOf(bytes, length));
				assertThat(valuesOf(read)).as("%s", new String(block, StandardCharsets.ISO_8859_1))
					.isEqualTo((length > 0) ? byTheClient(block) : Map.of());
			}
			else {
				assertThat(Base64.getDecoder().decode(read.first(EventHeaders.MALFORMED)))
					.isEqualTo(java.util.Arrays.copyOf(bytes, length));
			}
		}
		assertThat(taken).isBetween(1_000, 199_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "NATS/1.0\r\n\u00c3\u00a9:a\r\n\r\n", "NATS/1.0\r\na b:c\r\n\r\n",
			"NATS/1.0\r\n a:b\r\n\r\n", "NATS/1.0\r\na:b\nc:d\r\n\r\n", "NATS/1.0\na:b\n\n", "NATS/1.0\r\nab\r\n\r\n",
			"NATS/1.0\r\n:b\r\n\r\n", "NATS/1.0\r\na:b\r\n c\r\n\r\n", "NATS/1.0\r\na:b\r\n", "NATS/1.0\r\na:b",
			"NATS/1.0\r\n", "NATS/1.0", "NATS/1.1\r\na:b\r\n\r\n", "a:b\r\n\r\n", "\r\n\r\n", "x",
			"NATS/1.0\r\na\rb:c\r\n\r\n", "NATS/1.0 409 Consumer Deleted\r\n\r\n", "NATS/1.0 503\r\n\r\n",
			"NATS/1.0\r\na:b\r\n\r\nc", "NATS/1.0\r\na\r\n:b\r\n\r\n", "NATS/1.0\r\na:\nb\r\n\r\n" })
	void keepsTheBytesOfABlockThatIsMalformed(String block) {
		byte[] bytes = block.getBytes(StandardCharsets.ISO_8859_1);
		EventHeaders read = read(bytes);
		assertThat(isMalformed(read)).isTrue();
		assertThat(Base64.getDecoder().decode(read.first(EventHeaders.MALFORMED))).isEqualTo(bytes);
		assertThat(read(VERSION.concat("a:b\r\n\r\n").getBytes(StandardCharsets.US_ASCII)).first("a")).isEqualTo("b");
	}

	/** The client would end the connection. */
	@Test
	void encodesWhatIsBeyondAsciiInAValue() {
		assertThat(read((VERSION + "a:\u00e9\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1)).first("a"))
			.isEqualTo("%E9");
		for (String value : List.of("Jos\u00e9", "100% \u00e9", "\u6771\u4eac")) {
			byte[] text = value.getBytes(StandardCharsets.UTF_8);
			byte[] block = (VERSION + "name: " + value + "\t\r\nb:c\r\n\r\n").getBytes(StandardCharsets.UTF_8);
			for (int time = 0; time < 2; time++) {
				EventHeaders read = read(block);
				assertThat(read.first("name")).isEqualTo(PercentCoding.encodeBeyondAscii(text, 0, text.length));
				assertThat(read.first("b")).isEqualTo("c");
			}
		}
		assertThat(PercentCoding.decode("Jos%C3%A9")).isEqualTo("Jos\u00e9");
		assertThat(read((VERSION + "a:Jos\u00e9\r\n\r\n").getBytes(StandardCharsets.UTF_8)).first("a"))
			.isEqualTo("Jos%C3%A9");
	}

	@Test
	void takesEqualTextsFromTheMessageBefore() {
		byte[] first = (VERSION + "type:Deposited\r\nid:1\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
		byte[] second = (VERSION + "type:Deposited\r\nid:2\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
		EventHeaders before = read(first);
		EventHeaders after = read(second);
		assertThat(after.first("type")).isSameAs(before.first("type"));
		assertThat(after.first("id")).isEqualTo("2");
		assertThat(before.first("id")).isEqualTo("1");
	}

	@Test
	void readsMessagesWhoseLinesResembleThoseBefore() {
		Random random = new Random(13);
		List<String> lines = List.of("a:1\r\n", "a:2\r\n", "a :1\r\n", "a:\t1\r\n", "ab:1\r\n", "a:\r\n", "b:1\r\n",
				"b:12\r\n", "a\t:2 \r\n");
		for (int round = 0; round < 50_000; round++) {
			StringBuilder block = new StringBuilder(VERSION);
			for (int line = random.nextInt(5); line > 0; line--) {
				block.append(lines.get(random.nextInt(lines.size())));
			}
			byte[] bytes = block.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
			assertThat(valuesOf(read(bytes))).as("%s", block).isEqualTo(byTheClient(bytes));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ta:1\r\n", "\u0001a:1\r\n" })
	void refusesALineWithoutANameAfterALineWithASpaceBeforeItsName(String before) {
		assertThat(read((VERSION + before + "\r\n").getBytes(StandardCharsets.US_ASCII)).first("a")).isEqualTo("1");
		String malformed = VERSION + before.charAt(0) + ":a:1\r\n\r\n";
		assertThat(isMalformed(read(malformed.getBytes(StandardCharsets.US_ASCII)))).isTrue();
	}

	@Test
	void takesEqualNamesFromTheMessageBefore() {
		List<String> names = new ArrayList<>();
		for (String block : List.of("type:1\r\nid:1\r\n\r\n", "type:2\r\nid:2\r\n\r\n")) {
			read((VERSION + block).getBytes(StandardCharsets.US_ASCII)).forEach((name, value) -> names.add(name));
		}
		assertThat(names.get(2)).isSameAs(names.get(0));
		assertThat(names.get(3)).isSameAs(names.get(1));
	}

	@Test
	void readsNoBytesAsNoHeaders() {
		assertThat(this.reader.read(new byte[3], 2, 2).isEmpty()).isTrue();
		assertThat(read((VERSION + "\r\n").getBytes(StandardCharsets.US_ASCII)).isEmpty()).isTrue();
	}

	private EventHeaders read(byte[] block) {
		byte[] within = new byte[block.length + 7];
		System.arraycopy(block, 0, within, 3, block.length);
		return this.reader.read(within, 3, 3 + block.length);
	}

	private static byte[] encoded(byte[] block) {
		return PercentCoding.encodeBeyondAscii(block, 0, block.length).getBytes(StandardCharsets.US_ASCII);
	}

	private static boolean isMalformed(EventHeaders headers) {
		return headers.first(EventHeaders.MALFORMED) != null;
	}

	private static Map<String, List<String>> byTheClient(byte[] block) {
		Headers headers = new IncomingHeadersProcessor(block).getHeaders();
		Map<String, List<String>> all = new HashMap<>();
		if (headers != null) {
			headers.forEach((name, values) -> all.put(name, List.copyOf(values)));
		}
		return all;
	}

	/** In the case they were written in, as the client keeps them. */
	private static Map<String, List<String>> valuesOf(EventHeaders headers) {
		Map<String, List<String>> all = new HashMap<>();
		headers.forEach((name, value) -> all.computeIfAbsent(name, (each) -> new ArrayList<>()).add(value));
		return all;
	}

	private static String text(Random random, String of, int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append(of.charAt(random.nextInt(of.length())));
		}
		return text.toString();
	}

}
