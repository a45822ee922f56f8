package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;

/**
 * Handles HTTP requests about projectors: checks permissions and arguments, calls
 * {@link Projectors}, and returns the views that are sent. Each call runs one or several
 * transactions on the caller's thread. Thread-safe.
 *
 * <p>
 * A given tenant is the scope of a call. It then sees no counts of all tenants, and no
 * reason or detail, which may quote data of others; and it changes nothing. Null means
 * all tenants.
 */
public final class ProjectorOperations {

	private final Projectors projectors;

	private final boolean writeEnabled;

	/**
	 * Sends no query yet.
	 * @param writeEnabled whether projectors may be paused and resumed
	 */
	public ProjectorOperations(Projectors projectors, boolean writeEnabled) {
		this.projectors = projectors;
		this.writeEnabled = writeEnabled;
	}

	/** All projectors. */
	public ProjectorList list(@Nullable String tenant) {
		boolean scoped = scope(tenant) != null;
		return new ProjectorList(this.projectors.list()
			.stream()
			.map(ProjectorView::of)
			.map((each) -> scoped ? each.withinATenant() : each)
			.toList());
	}

	/** One projector; empty if none of that name ever ran. */
	public Optional<ProjectorView> find(@Nullable String tenant, String name) {
		return find(name).map((found) -> (scope(tenant) != null) ? found.withinATenant() : found);
	}

	/** One projector, as those see it who may see all. */
	Optional<ProjectorView> find(String name) {
		return this.projectors.find(name).map(ProjectorView::of);
	}

	/**
	 * The last actions on a projector, oldest first; empty if none of that name ever ran.
	 * @param limit the maximum number of actions; null for {@link Projectors#AUDIT}
	 */
	public Optional<ProjectionAuditList> audit(@Nullable String tenant, String name, @Nullable Integer limit) {
		boolean scoped = scope(tenant) != null;
		int most = (limit != null) ? limit : Projectors.AUDIT;
		if (most < 1 || most > Projectors.MAX_AUDIT) {
			throw new InvalidRequestException("'limit' must be 1 to " + Projectors.MAX_AUDIT + ", was " + most + ".");
		}
		return this.projectors.find(name)
			.map((found) -> new ProjectionAuditList(this.projectors.audit(name, most)
				.stream()
				.map((each) -> scoped ? new ProjectionAuditEntry(each.at(), each.generation(), each.actor(),
						each.action(), null, null) : each)
				.toList()));
	}

	/** The tenant to whose scope a call is bound; null for all. */
	static @Nullable String scope(@Nullable String tenant) {
		return (tenant == null || tenant.isEmpty()) ? null : TenantId.of(tenant).value();
	}

	/**
	 * Pauses a projector on all nodes.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectorChanged pause(ProjectorChange<ProjectorBody.Pause> change) {
		ProjectorOverview before = before(change);
		if (change.body().dryRun()) {
			return changed(before, !before.status().paused(), true);
		}
		String reason = required(change.body().reason(), "A \"reason\" is needed, for the status and the audit.");
		return changed(before, this.projectors.pause(before.name(), actor(change), reason), false);
	}

	/**
	 * Ends the pause of a projector.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectorChanged resume(ProjectorChange<ProjectorBody.Resume> change) {
		ProjectorOverview before = before(change);
		return change.body().dryRun() ? changed(before, before.status().isHeldUp(), true)
				: changed(before, this.projectors.resume(before.name(), actor(change), change.body().reason()), false);
	}

	/** The projector that is meant, if the change is allowed. */
	ProjectorOverview before(ProjectorChange<?> change) {
		if (scope(change.by().tenant()) != null) {
			throw WriteRefusedException.withinATenant();
		}
		if (!change.body().dryRun() && !this.writeEnabled) {
			throw WriteRefusedException.projectorsReadOnly();
		}
		String name = change.projector();
		return this.projectors.find(name).orElseThrow(() -> UnknownNameException.ofProjector(name, names()));
	}

	private List<String> names() {
		return this.projectors.list().stream().map(ProjectorOverview::name).distinct().toList();
	}

	static ProjectorChanged changed(ProjectorOverview before, boolean changed, boolean dryRun) {
		return new ProjectorChanged(before.name(), changed, dryRun, before.hasNode());
	}

	static String actor(ProjectorChange<?> change) {
		return required(change.by().actor(), "The change has no actor. Consider logging in, or naming an \"actor\".");
	}

	static String required(@Nullable String text, String otherwise) {
		if (text == null || text.isBlank()) {
			throw new InvalidRequestException(otherwise);
		}
		return text;
	}

}
