package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.projector.CommitListener;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;

/** Registers each projector with a listener, as an extension does. */
record ListeningEndpoints(AnnotationConfigApplicationContext context,
		CommitListener listener) implements ProjectorEndpoints {

	private ProjectorEndpoints registry() {
		return this.context.getBean("eventingProjectorRegistry", ProjectorEndpoints.class);
	}

	@Override
	public void register(ProjectorEndpoint endpoint) {
		registry().register(endpoint.withCommits(this.listener));
	}

	@Override
	public @Nullable PlatformTransactionManager transactionManager() {
		return registry().transactionManager();
	}

}
