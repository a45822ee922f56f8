package dev.eventing.samples.dashboard.run;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DashboardOptionsTests {

	@Test
	void areReadFromArguments() {
		assertThat(DashboardOptions.of(List.of("--once", "--port=0", "--rate=50", "--files=out")))
			.isEqualTo(new DashboardOptions(true, 0, 50, Path.of("out")));
	}

	@Test
	void refuseWhatIsNotKnown() {
		assertThatIllegalArgumentException().isThrownBy(() -> DashboardOptions.of(List.of("--twice")))
			.withMessageContaining("--twice")
			.withMessageContaining("Consider");
		assertThatIllegalArgumentException().isThrownBy(() -> DashboardOptions.of(List.of("--port=here")));
	}

}
