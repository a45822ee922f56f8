package dev.eventing.sdk.config;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.annotation.BeanKind;
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
 * Beans that the SDK looks for. Beans that have a use without the SDK, such as a clock,
 * are not of these kinds. Thread-safe.
 */
final class DeclaredBeanKinds implements BeanKinds {

	private static final String OPTIONS = "sets options of the SDK";

	private static final BeanKind VIEW = new BeanKind("is a live view", true);

	private static final BeanKind CHECKS = new BeanKind("has checks of a read model", true);

	/**
	 * A class that is of several types has the first kind. Code may hand the last seven
	 * to the SDK itself: {@code LiveViews.define}, {@code Streams},
	 * {@code EventVersions}, {@code EventStore}, {@code Leases}.
	 */
	private static final List<Kind> KINDS = List.of(Kind.ofTheSdk(RelayOptions.class, "defines a relay"),
			Kind.ofTheSdk(TenantTransactionListener.class, "is a listener of transactions"),
			Kind.ofTheSdk(ProjectorSettingsSource.class, "sets options of projectors"),
			Kind.ofTheSdk(MigrationDataSource.class, "has the connections of migrations"),
			Kind.ofTheSdk(SchemaMode.class, OPTIONS), Kind.ofTheSdk(JdbcOptions.class, OPTIONS),
			Kind.ofTheSdk(StallOptions.class, OPTIONS), Kind.ofTheSdk(WrittenVersions.class, OPTIONS),
			Kind.ofTheSdk(ProjectorRuntime.class, OPTIONS), Kind.ofTheSdk(PruningOptions.class, OPTIONS),
			Kind.ofTheSdk(ReconciliationOptions.class, OPTIONS), Kind.ofTheSdk(DeadLetterStreamOptions.class, OPTIONS),
			Kind.ofTheSdk(LiveViewOptions.class, OPTIONS), Kind.ofAll(LiveViewDefinition.class, "defines a live view"),
			Kind.ofAll(StreamSpec.class, "declares a stream"), Kind.ofAll(EventUpcaster.class, "is an upcaster"),
			Kind.ofAll(EventDowncaster.class, "is a downcaster"),
			Kind.ofAll(AppendListener.class, "is a listener of appends"), Kind.ofAll(LeaseOptions.class, OPTIONS),
			Kind.ofAll(StoreOptions.class, OPTIONS));

	// Prototypes come here often. A class of no kind is searched only once.
	private final Set<Class<?>> withoutKind = ConcurrentHashMap.newKeySet();

	@Override
	public @Nullable BeanKind kindOf(Class<?> type) {
		if (this.withoutKind.contains(type)) {
			return null;
		}
		BeanKind kind = find(type);
		if (kind == null) {
			this.withoutKind.add(type);
		}
		return kind;
	}

	private static @Nullable BeanKind find(Class<?> type) {
		for (Kind kind : KINDS) {
			if (kind.type().isAssignableFrom(type)) {
				return kind.kind();
			}
		}
		if (AnnotatedElementUtils.hasAnnotation(type, LiveView.class)) {
			return VIEW;
		}
		return hasChecks(type) ? CHECKS : null;
	}

	private static boolean hasChecks(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, Reconciliation.class) && !MethodIntrospector
			.selectMethods(type,
					(MetadataLookup<Reconciliation>) (method) -> AnnotatedElementUtils.findMergedAnnotation(method,
							Reconciliation.class))
			.isEmpty();
	}

	/** Beans of one type. */
	private record Kind(Class<?> type, BeanKind kind) {

		static Kind ofTheSdk(Class<?> type, String words) {
			return new Kind(type, new BeanKind(words, true));
		}

		static Kind ofAll(Class<?> type, String words) {
			return new Kind(type, new BeanKind(words, false));
		}

	}

}
