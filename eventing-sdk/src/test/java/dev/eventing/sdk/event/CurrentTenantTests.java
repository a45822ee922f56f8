package dev.eventing.sdk.event;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The tenant of a thread. */
class CurrentTenantTests {

	private static final TenantId ACME = TenantId.of("acme");

	@Test
	void isThatOfTheInnermostScope() {
		CurrentTenant.Scope outer = CurrentTenant.open(ACME);
		CurrentTenant.Scope inner = CurrentTenant.open(TenantId.of("globex"));
		assertThat(CurrentTenant.require().value()).isEqualTo("globex");
		inner.close();
		assertThat(outer.isAsked()).isFalse();
		assertThat(CurrentTenant.find()).contains(ACME);
		assertThat(outer.isAsked()).isTrue();
		outer.close();
		assertThat(CurrentTenant.find()).isEmpty();
	}

	@Test
	void isUnknownToOtherThreads() {
		CurrentTenant.Scope scope = CurrentTenant.open(ACME);
		CompletableFuture<Optional<TenantId>> other = new CompletableFuture<>();
		new Thread(() -> other.complete(CurrentTenant.find())).start();
		assertThat(other.join()).isEmpty();
		scope.close();
	}

	@Test
	void isRefusedWhereThereIsNone() {
		assertThatExceptionOfType(NoCurrentTenantException.class).isThrownBy(CurrentTenant::require)
			.withMessageContainingAll("has no current tenant", "Consider tenancy = PER_TRANSACTION");
	}

}
