package dev.eventing.sdk.projector.container;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorServices.TenantResolver;
import dev.eventing.sdk.projector.ProjectorServices.Tenants;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.Tenancy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TenancyRulesTests {

	private static final ReadModel RESET = new ReadModel(1, Set.of(), null, List.of(() -> {
	}));

	private static final ReadModel LIVE_VIEW = ReadModel.ofRows(1, null, () -> {
	}, (caller, gone) -> 0);

	private final TenancyRules rules = new TenancyRules(new Tenants(List.of(),
			() -> List.of(new TenantResolver("an entity manager factory has one", CurrentTenant::require))));

	@Test
	void aResetOfTheApplicationWouldMeetRowsOfOneTenant() {
		assertThatExceptionOfType(ProjectorStartException.class)
			.isThrownBy(() -> this.rules.require(List.of(endpoint(Tenancy.PER_TRANSACTION, RESET))))
			.withMessageContaining("its @ProjectionReset method empties the rows of all tenants");
	}

	@Test
	void aLiveViewMayHaveOneTenantPerTransaction() {
		assertThatCode(() -> this.rules.require(List.of(endpoint(Tenancy.PER_TRANSACTION, LIVE_VIEW))))
			.doesNotThrowAnyException();
	}

	@Test
	void besideAResolverTheTenancyMustBeSet() {
		assertThatExceptionOfType(ProjectorStartException.class)
			.isThrownBy(() -> this.rules.require(List.of(endpoint(null, LIVE_VIEW))))
			.withMessageContaining("Consider eventing.projector.defaults.tenancy = per-transaction");
	}

	private static ProjectorEndpoint endpoint(@Nullable Tenancy tenancy, ReadModel readModel) {
		ProjectorSettings settings = (tenancy != null) ? ProjectorSettings.builder().tenancy(tenancy).build()
				: ProjectorSettings.NONE;
		HandlerMethod handler = new HandlerMethod("lent", SubjectTemplate.of("loan.{tenant}.lent"),
				Map.of("book.lent", String.class), false, (events, resources) -> {
				});
		return new ProjectorEndpoint(ProjectorId.of("loans"), "loans-consumer", null, List.of(handler),
				ProjectorOptions.of(settings), readModel);
	}

}
