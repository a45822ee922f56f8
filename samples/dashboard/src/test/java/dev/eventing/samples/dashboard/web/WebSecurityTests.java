package dev.eventing.samples.dashboard.web;

import java.security.Principal;

import dev.eventing.samples.dashboard.DashboardProperties;
import dev.eventing.samples.dashboard.house.House;
import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.LiveViewRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.security.core.userdetails.UserDetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WebSecurityTests {

	private final WebSecurity security = new WebSecurity();

	private final LiveViewAccess access = this.security.liveViewAccess();

	@Test
	void givesEachUserTheOwnTenant() {
		assertThat(this.access.tenant(request("ada", null))).contains(House.HARBOUR.tenant());
		assertThat(this.access.tenant(request("bob", null))).contains(House.SUMMIT.tenant());
		assertThat(this.access.tenant(request("bob", "summit"))).contains(House.SUMMIT.tenant());
	}

	@Test
	void refusesAllOthers() {
		assertThat(this.access.tenant(request("ada", "summit"))).isEmpty();
		assertThat(this.access.tenant(request("eve", "harbour"))).isEmpty();
		assertThat(this.access.tenant(request(null, "harbour"))).isEmpty();
	}

	@Test
	void keepsNoPasswordAsItIs() {
		UserDetails ada = this.security.users(new DashboardProperties(1, "secret")).loadUserByUsername("ada");
		assertThat(ada.getPassword()).startsWith("{bcrypt}").doesNotContain("secret");
		assertThatIllegalStateException().isThrownBy(() -> this.security.users(new DashboardProperties(1, "")))
			.withMessageContaining("dashboard.password");
	}

	private static LiveViewRequest request(@Nullable String user, @Nullable String tenant) {
		Principal principal = (user != null) ? () -> user : null;
		return new LiveViewRequest(principal, tenant, "occupancy", "rooms");
	}

}
