package dev.eventing.sdk.nats;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class DeliveryPackingTests {

	private static final String ACK = "$JS.ACK.S.c.1.2.3.4.5";

	private static final int LONGEST_LINE = 4096;

	@Test
	void packsDeliveriesWithAndWithoutHeaders() throws IOException {
		assertThat(packed("MSG a.b 7 " + ACK + " 3\r\nxyz\r\n"))
			.isEqualTo("MSG a.b 7 " + ACK + " 7\r\n\0\0\0\0xyz\r\n");
		assertThat(packed("HMSG a.b 7 " + ACK + " 5 8\r\nhead!xyz\r\n"))
			.isEqualTo("MSG a.b 7 " + ACK + " 12\r\n\0\0\0\5head!xyz\r\n");
		assertThat(packed("MSG a.b 7 " + ACK + " 0\r\n\r\n")).isEqualTo("MSG a.b 7 " + ACK + " 4\r\n\0\0\0\0\r\n");
	}

	@Test
	void packsMoreThan64KilobytesOfHeaders() throws IOException {
		String head = "h".repeat(70_000);
		assertThat(packed("HMSG a 7 " + ACK + " 70000 70001\r\n" + head + "b\r\n"))
			.isEqualTo("MSG a 7 " + ACK + " 70005\r\n\0\1\u0011p" + head + "b\r\n");
	}

	@Test
	void putsASubjectInsideThatMakesTheLineLongerThanTheClientTakes() throws IOException {
		String subject = "s".repeat(4070);
		assertThat(packed("HMSG " + subject + " 7 " + ACK + " 2 3\r\nhhb\r\n"))
			.isEqualTo("MSG - 7 " + ACK + " 4079\r\n\u0080\0\0\2\u000f\u00e6" + subject + "hhb\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "INFO {\"x\":\"MSG $JS.ACK.\"}\r\n", "PING\r\n", "+OK\r\n", "-ERR 'MSG'\r\n",
			"MSG _INBOX.x 1 3\r\nMSG\r\n", "MSG _INBOX.x 1 reply 0\r\n\r\n", "MSG $JS.ACK.x 1 10\r\n0123456789\r\n",
			"HMSG _INBOX.x 1 16 16\r\nNATS/1.0 100 x\r\n\r\n",
			"HMSG _INBOX.x 1 r 17 18\r\nNATS/1.0\r\na:b\r\n\r\nc\r\n", "MSG a 1 $JS.FC.S.c 0\r\n\r\n" })
	void leavesAllElseAsItIs(String text) throws IOException {
		String sent = text.replace("16 16", "18 18").replace("100 x\r\n\r\n", "100 x\r\n\r\n\r\n");
		assertThat(packed(sent)).isEqualTo(sent);
	}

	@ParameterizedTest
	@ValueSource(strings = { "NATS/1.0\r\na:\u00e9\r\n\r\n", "NATS/1.0\r\nab\r\n\r\n", "", "x", "NATS/1.0\r\n" })
	void takesHeadersAwayThatTheClientCannotRead(String block) throws IOException {
		int length = block.length();
		assertThat(packed("HMSG _INBOX.x 1 r " + length + " " + (length + 2) + "\r\n" + block + "ok\r\nPING\r\n"))
			.isEqualTo("HMSG _INBOX.x 1 r 12 14\r\nNATS/1.0\r\n\r\nok\r\nPING\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "MSG\r\n", "MSG a\r\n", "MSG a 1 x\r\n", "HMSG a 1 3\r\n", "HMSG a 1 4 3\r\n",
			"MSG a 1 r -3\r\n", "MSG a 1 99999999999\r\n", "MSG a 1 r r 3\r\n", "MXG a 1 3\r\n", "MSG a 1 \r\n", "M\n",
			"HMSG a 1 3 3\n" })
	void failsOverWhatIsNoProtocol(String line) {
		assertThatIOException().isThrownBy(() -> packed(line + "abc\r\n"));
	}

	@Test
	void isTheSameHoweverTheBytesAreCut() throws IOException {
		StringBuilder sent = new StringBuilder("INFO {}\r\n");
		StringBuilder expected = new StringBuilder("INFO {}\r\n");
		Random random = new Random(5);
		for (int message = 0; message < 300; message++) {
			String head = "h".repeat(random.nextInt(300));
			String body = "\r\nMSG $JS.ACK. 1 ".repeat(random.nextInt(20));
			int total = head.length() + body.length();
			switch (random.nextInt(4)) {
				case 0 -> {
					sent.append("HMSG a.%d 1 %s %d %d\r\n".formatted(message, ACK, head.length(), total));
					expected.append("MSG a.%d 1 %s %d\r\n".formatted(message, ACK, total + 4))
						.append("\0\0")
						.append((char) (head.length() >> 8))
						.append((char) (head.length() & 0xff));
					sent.append(head).append(body).append("\r\n");
					expected.append(head).append(body).append("\r\n");
				}
				case 1 -> {
					sent.append("PONG\r\n");
					expected.append("PONG\r\n");
				}
				case 2 -> {
					String status = "HMSG _INBOX.x 1 17 17\r\nNATS/1.0\r\na:b\r\n\r\n\r\n";
					sent.append(status);
					expected.append(status);
				}
				default -> {
					String plain = "MSG _INBOX.x 1 " + body.length() + "\r\n" + body + "\r\n";
					sent.append(plain);
					expected.append(plain);
				}
			}
		}
		for (int round = 0; round < 50; round++) {
			assertThat(packed(sent.toString(), new Random(round))).isEqualTo(expected.toString());
		}
	}

	@Test
	void knowsWhetherItHoldsSomethingBack() throws IOException {
		InputStream in = in("INFO {}\r\nMSG a");
		DeliveryPacking packing = new DeliveryPacking(in::read, LONGEST_LINE);
		assertThat(packing.isBetweenLines()).isTrue();
		packing.read(new byte[9], 0, 9);
		assertThat(packing.isBetweenLines()).isFalse();
	}

	private static String packed(String sent) throws IOException {
		return packed(sent, null);
	}

	/** With reads of any size on both sides where there is a random. */
	private static String packed(String sent, @Nullable Random random) throws IOException {
		InputStream in = in(sent);
		DeliveryPacking packing = new DeliveryPacking((target, offset, length) -> in.read(target, offset,
				(random != null) ? 1 + random.nextInt(Math.min(length, 90)) : length), LONGEST_LINE);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		byte[] buffer = new byte[8192];
		while (true) {
			int n = packing.read(buffer, 5, (random != null) ? 1 + random.nextInt(200) : 8000);
			if (n < 0) {
				return out.toString(StandardCharsets.ISO_8859_1);
			}
			out.write(buffer, 5, n);
		}
	}

	private static InputStream in(String sent) {
		return new ByteArrayInputStream(sent.getBytes(StandardCharsets.ISO_8859_1));
	}

}
