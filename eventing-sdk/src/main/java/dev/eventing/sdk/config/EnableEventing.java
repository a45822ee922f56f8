package dev.eventing.sdk.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.context.annotation.Import;

/**
 * Switches {@link ProjectorEventHandler} on in an application without Spring Boot. The
 * application brings three beans: {@link dev.eventing.sdk.nats.NatsOptions}, a
 * {@link javax.sql.DataSource}, and the
 * {@link org.springframework.transaction.PlatformTransactionManager} of its transactions.
 * Optional beans change what is built in: {@link dev.eventing.sdk.schema.EventingSchema},
 * {@link dev.eventing.sdk.schema.SchemaMode},
 * {@link dev.eventing.sdk.projector.ProjectorSettingsSource},
 * {@link dev.eventing.sdk.projector.ProjectorRuntime},
 * {@link dev.eventing.sdk.nats.StreamSpec} (streams to declare), {@code JsonMapper} and
 * {@link java.time.Clock}. Any part of the SDK that the application declares as a bean
 * itself is used in place of the SDK's own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(EventingConfiguration.class)
public @interface EnableEventing {

}
