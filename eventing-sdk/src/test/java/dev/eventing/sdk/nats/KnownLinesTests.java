package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KnownLinesTests {

	private final KnownLines lines = new KnownLines();

	@BeforeEach
	void keepTwoLines() {
		// the second has a space after its name, which is not part of the name
		byte[] data = bytes("#a:1\r\nbc :\t2\r\n#");
		this.lines.replace(data, 1, data.length - 1, new int[] { 6, 14, 0 }, new String[] { "a", "1", "bc", "2" });
		data[1] = 'x';
	}

	@Test
	void findsALineByItsBytes() {
		assertThat(this.lines.count()).isEqualTo(2);
		assertThat(end(0, "a:1\r\n")).isEqualTo(5);
		assertThat(end(1, "bc :\t2\r\nmore")).isEqualTo(8);
		assertThat(this.lines.name(1)).isEqualTo("bc");
		assertThat(this.lines.value(1)).isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "a", "a:1", "a:1\r", "a:2\r\n", "b:1\r\n", "a:1\n\r", "a: 1\r\n", "a:12\r\n", "A:1\r\n" })
	void doesNotFindALineThatDiffers(String data) {
		assertThat(end(0, data)).isNegative();
		assertThat(end(2, data)).isNegative();
	}

	@Test
	void doesNotLookBeyondTheHeaders() {
		assertThat(this.lines.endOfEqual(0, bytes("a:1\r\n"), 0, 4)).isNegative();
		assertThat(this.lines.equalName(0, bytes("a:"), 0, 1)).isNull();
	}

	@Test
	void findsANameThatAColonFollows() {
		assertThat(name(0, "a:2\r\n")).isEqualTo("a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bc:2", "bc :2", "bc", "\t:2" })
	void doesNotFindANameThatHadSpacesAroundIt(String data) {
		assertThat(name(1, data)).isNull();
		byte[] line = bytes("\tb:1\r\n");
		this.lines.replace(line, 0, line.length, new int[] { line.length }, new String[] { "b", "1" });
		assertThat(name(0, "\t:2")).isNull();
		assertThat(name(0, "\tb:2")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "a2:", "a :", "b:", "A:", ":", "ab" })
	void doesNotFindANameThatDiffers(String data) {
		assertThat(name(0, data)).isNull();
		assertThat(name(2, data)).isNull();
	}

	@Test
	void forgetsTheLinesBefore() {
		byte[] data = bytes("c:3\r\n");
		this.lines.replace(data, 0, data.length, new int[] { 5 }, new String[] { "c", "3" });
		assertThat(end(0, "c:3\r\n")).isEqualTo(5);
		assertThat(end(0, "a:1\r\n")).isNegative();
		assertThat(end(1, "bc :\t2\r\n")).isNegative();
		this.lines.replace(data, 5, 5, new int[0], new String[0]);
		assertThat(end(0, "c:3\r\n")).isNegative();
		assertThat(name(0, "c:3\r\n")).isNull();
	}

	private int end(int line, String data) {
		byte[] all = bytes("##" + data);
		int end = this.lines.endOfEqual(line, all, 2, all.length);
		return (end < 0) ? end : end - 2;
	}

	private @Nullable String name(int line, String data) {
		byte[] all = bytes("##" + data);
		return this.lines.equalName(line, all, 2, all.length);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
