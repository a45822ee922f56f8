package dev.eventing.sdk.console;

import java.security.Principal;
import java.util.List;

import dev.eventing.sdk.operator.ChangeBody;
import dev.eventing.sdk.operator.ErasureChange;
import dev.eventing.sdk.operator.ProjectorBody;
import dev.eventing.sdk.operator.WriteRefusedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ActorsTests {

	private static final Actors GUARDED = new Actors(false);

	private static final Actors OPEN = new Actors(true);

	@Test
	void areTheUserWhateverTheRequestNames() {
		assertThat(GUARDED.of(request("ada"), pause(false, "mallory"))).isEqualTo("ada");
		assertThat(OPEN.of(request("ada"), pause(false, "mallory"))).isEqualTo("ada");
		assertThat(GUARDED.of(request("ada"), pause(true, null))).isEqualTo("ada");
	}

	@Test
	void areWhatTheRequestNamesInAnOpenConsoleAlone() {
		assertThat(OPEN.of(request(null), pause(false, "a script"))).isEqualTo("a script");
		assertThat(OPEN.of(request(null), pause(false, null))).isNull();
		assertThatExceptionOfType(WriteRefusedException.class)
			.isThrownBy(() -> GUARDED.of(request(null), pause(false, "a script")))
			.withMessageContaining("no user is logged in")
			.withMessageContaining("'eventing.console.access=open'");
		assertThatExceptionOfType(WriteRefusedException.class)
			.isThrownBy(() -> GUARDED.of(request(null), pause(false, null)))
			.withMessageContaining("no user is logged in")
			.withMessageNotContaining("actor");
	}

	@Test
	void areNotNeededToLookButForAnErasure() {
		assertThat(GUARDED.of(request(null), pause(true, "a script"))).isNull();
		assertThatExceptionOfType(WriteRefusedException.class)
			.isThrownBy(() -> GUARDED.of(request(null), new ErasureChange("acme", "s", "r", true, false, "a script")));
	}

	private static ChangeBody pause(boolean dryRun, @Nullable String actor) {
		return new ProjectorBody.Pause("r", dryRun, actor);
	}

	private static ServerRequest request(@Nullable String user) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/");
		if (user != null) {
			Principal principal = () -> user;
			request.setUserPrincipal(principal);
		}
		return ServerRequest.create(request, List.of());
	}

}
