package dev.eventing.sdk.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.context.annotation.Import;

/**
 * Enables {@link ProjectorEventHandler} in an application without Spring Boot. The
 * application provides three beans: {@link dev.eventing.sdk.nats.NatsOptions}, a
 * {@link javax.sql.DataSource}, and a
 * {@link org.springframework.transaction.PlatformTransactionManager}. These optional
 * beans change the defaults: {@link dev.eventing.sdk.schema.EventingSchema},
 * {@link dev.eventing.sdk.schema.SchemaMode},
 * {@link dev.eventing.sdk.projector.ProjectorSettingsSource},
 * {@link dev.eventing.sdk.projector.ProjectorRuntime},
 * {@link dev.eventing.sdk.projector.TenantTransactionListener} (any number),
 * {@link dev.eventing.sdk.nats.StreamSpec} (streams to declare),
 * {@link dev.eventing.sdk.store.AppendListener} (any number),
 * {@link dev.eventing.sdk.event.EventJsonMapper} (how payloads are written and bound),
 * {@link dev.eventing.sdk.event.EventUpcaster} and
 * {@link dev.eventing.sdk.event.EventDowncaster} (any number of both),
 * {@link dev.eventing.sdk.event.WrittenVersions}, and {@link java.time.Clock}. If the
 * application declares a bean of a type that the SDK also declares, the SDK uses the
 * application's bean.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(EventingConfiguration.class)
public @interface EnableEventing {

}
