package dev.eventing.sdk.config;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.annotation.BeanKinds;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.event.EventDowncaster;
import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationOptions;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.TenantTransactionListener;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.MigrationDataSource;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.worker.StallOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Beans that only the SDK has a use for. Beans that the application may use itself, such
 * as a clock, are not of these kinds. Thread-safe.
 */
final class DeclaredBeanKinds implements BeanKinds {

	private static final String OPTIONS = "sets options of the SDK";

	/** A class that is of several types has the first kind. */
	private static final List<Kind> KINDS = List.of(new Kind(LiveViewDefinition.class, "defines a live view"),
			new Kind(RelayOptions.class, "defines a relay"), new Kind(StreamSpec.class, "declares a stream"),
			new Kind(EventUpcaster.class, "is an upcaster"), new Kind(EventDowncaster.class, "is a downcaster"),
			new Kind(AppendListener.class, "is a listener of appends"),
			new Kind(TenantTransactionListener.class, "is a listener of transactions"),
			new Kind(ProjectorSettingsSource.class, "sets options of projectors"),
			new Kind(MigrationDataSource.class, "has the connections of migrations"),
			new Kind(SchemaMode.class, OPTIONS), new Kind(JdbcOptions.class, OPTIONS),
			new Kind(LeaseOptions.class, OPTIONS), new Kind(StallOptions.class, OPTIONS),
			new Kind(StoreOptions.class, OPTIONS), new Kind(WrittenVersions.class, OPTIONS),
			new Kind(ProjectorRuntime.class, OPTIONS), new Kind(PruningOptions.class, OPTIONS),
			new Kind(ReconciliationOptions.class, OPTIONS), new Kind(DeadLetterStreamOptions.class, OPTIONS),
			new Kind(LiveViewOptions.class, OPTIONS));

	// Prototypes come here often. A class of no kind is searched only once.
	private final Set<Class<?>> withoutKind = ConcurrentHashMap.newKeySet();

	@Override
	public @Nullable String kindOf(Class<?> type) {
		if (this.withoutKind.contains(type)) {
			return null;
		}
		String kind = find(type);
		if (kind == null) {
			this.withoutKind.add(type);
		}
		return kind;
	}

	private static @Nullable String find(Class<?> type) {
		for (Kind kind : KINDS) {
			if (kind.type().isAssignableFrom(type)) {
				return kind.name();
			}
		}
		if (AnnotatedElementUtils.hasAnnotation(type, LiveView.class)) {
			return "is a live view";
		}
		return hasChecks(type) ? "has checks of a read model" : null;
	}

	private static boolean hasChecks(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, Reconciliation.class) && !MethodIntrospector
			.selectMethods(type,
					(MetadataLookup<Reconciliation>) (method) -> AnnotatedElementUtils.findMergedAnnotation(method,
							Reconciliation.class))
			.isEmpty();
	}

	/** A type of beans, and what the log calls it. */
	private record Kind(Class<?> type, String name) {
	}

}
