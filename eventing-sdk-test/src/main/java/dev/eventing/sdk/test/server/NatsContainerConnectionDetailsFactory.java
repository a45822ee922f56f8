package dev.eventing.sdk.test.server;

import java.util.List;

import dev.eventing.sdk.autoconfigure.NatsConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.Container;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * The connection details of a container with the annotation {@code @ServiceConnection}: a
 * {@link NatsContainer} of any image, or another one of the image {@code nats}, or with
 * its name.
 */
class NatsContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, NatsConnectionDetails> {

	NatsContainerConnectionDetailsFactory() {
		super("nats");
	}

	/**
	 * Boot knows the image of a field, but not that of a bean, which it does not create
	 * early. So the type of the container suffices.
	 */
	@Override
	protected boolean sourceAccepts(ContainerConnectionSource<Container<?>> source, Class<?> requiredContainerType,
			Class<?> requiredConnectionDetailsType) {
		return super.sourceAccepts(source, requiredContainerType, requiredConnectionDetailsType)
				|| source.accepts(ANY_CONNECTION_NAME, NatsContainer.class, requiredConnectionDetailsType);
	}

	@Override
	protected NatsConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
		return new ContainerDetails(source);
	}

	private static final class ContainerDetails extends ContainerConnectionDetails<Container<?>>
			implements NatsConnectionDetails {

		ContainerDetails(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		@Override
		public List<String> getServers() {
			return List
				.of("nats://" + getContainer().getHost() + ":" + getContainer().getMappedPort(NatsContainer.PORT));
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return super.getSslBundle();
		}

	}

}
