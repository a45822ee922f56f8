package dev.eventing.samples.dashboard.run;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import dev.eventing.samples.dashboard.view.Occupancy;
import dev.eventing.samples.dashboard.view.Totals;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NumbersTests {

	@Test
	void areThoseOfTheState() {
		Occupancy state = new Occupancy("Boats", 36, 3, 4, new Totals(20, 8, 4, 1), new TreeMap<>());
		assertThat(Numbers.of(state)).isEqualTo(new Numbers("Boats", 29, 3, 4, 8, 4, 1, 0));
	}

	@Test
	void haveAPlaceOnThePage() throws IOException {
		try (InputStream page = Objects.requireNonNull(NumbersTests.class.getResourceAsStream("/static/index.html"))) {
			String text = new String(page.readAllBytes(), StandardCharsets.UTF_8);
			for (RecordComponent number : Numbers.class.getRecordComponents()) {
				if (!Set.of("title", "slots").contains(number.getName())) {
					assertThat(text).contains("data-number=\"" + number.getName() + "\"");
				}
			}
		}
	}

}
