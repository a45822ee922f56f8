package dev.eventing.sdk.event;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TenantClaimsTests {

	private final TenantClaims claims = new TenantClaims();

	@Test
	void agreeIfEachPlaceNamesTheSameTenant() {
		this.claims.add("header", "acme");
		assertThat(this.claims.agreed()).isEqualTo(TenantId.of("acme"));
		this.claims.addFirst("subject", "acme");
		assertThat(this.claims.agreed()).isEqualTo(TenantId.of("acme"));
		assertThat(this.claims.error()).isNull();
	}

	@Test
	void doNotAgreeWithoutAPlace() {
		assertError(Reason.NO_TENANT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "other", "Acme", "acme2", "acm" })
	void doNotAgreeIfTwoPlacesDiffer(String other) {
		this.claims.add("header", "acme");
		this.claims.add("body", other);
		assertError(Reason.TENANT_MISMATCH);
	}

	@Test
	void doNotAgreeIfOnlyTheLastPlaceDiffers() {
		this.claims.add("header", "acme");
		this.claims.add("body", "acme");
		assertThat(this.claims.agreed()).isNotNull();
		this.claims.add("header", "other");
		assertError(Reason.TENANT_MISMATCH);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a.b", "a b", "*", ">", "a\u0000", "\u00e4" })
	void doNotAgreeOnAnInvalidTenant(String tenant) {
		this.claims.add("header", tenant);
		this.claims.add("body", tenant);
		assertError(Reason.INVALID_TENANT);
	}

	@Test
	void reportAnInvalidTenantBeforeAMismatch() {
		this.claims.add("header", "acme");
		this.claims.add("body", "a.b");
		assertError(Reason.INVALID_TENANT);
	}

	@Test
	void doNotAgreeOnATenantThatIsTooLong() {
		this.claims.add("header", "a".repeat(TenantId.MAX_LENGTH));
		assertThat(this.claims.agreed()).isNotNull();
		TenantClaims longer = new TenantClaims();
		longer.add("header", "a".repeat(TenantId.MAX_LENGTH + 1));
		assertThat(longer.agreed()).isNull();
	}

	private void assertError(Reason reason) {
		assertThat(this.claims.agreed()).isNull();
		assertThat(this.claims.error()).isNotNull().extracting(ReadError::reason).isEqualTo(reason);
	}

}
