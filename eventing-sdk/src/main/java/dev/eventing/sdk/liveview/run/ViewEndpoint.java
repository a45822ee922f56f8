package dev.eventing.sdk.liveview.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.fold.ViewFold;
import dev.eventing.sdk.liveview.fold.ViewHandler;
import dev.eventing.sdk.liveview.frame.FrameForm;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.OrderingKey;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.Source;
import org.jspecify.annotations.Nullable;

/** Makes the projector of a view. */
final class ViewEndpoint {

	/** It is a token of subjects, and in names of leases and durables. */
	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,200}");

	private final LiveViewDefinition<?> view;

	private ViewEndpoint(LiveViewDefinition<?> view) {
		this.view = view;
	}

	/**
	 * The projector of a view.
	 * @throws InvalidLiveViewException with all that is not valid
	 */
	static ProjectorEndpoint of(LiveViewDefinition<?> view, ViewFold<?> fold, ViewHandler handler, ReadModel readModel,
			ProjectorSettingsSource settings) {
		return new ViewEndpoint(view).endpoint(fold, handler, readModel, settings);
	}

	private ProjectorEndpoint endpoint(ViewFold<?> fold, ViewHandler handler, ReadModel readModel,
			ProjectorSettingsSource settings) {
		List<String> problems = new ArrayList<>();
		check(problems);
		ProjectorOptions options = options(settings, problems);
		Set<SubjectTemplate> subjects = subjects(problems);
		if (!problems.isEmpty() || options == null) {
			throw new InvalidLiveViewException("Live view '" + this.view.name() + "': " + String.join(" ", problems));
		}
		ProjectorId id = ProjectorId.of(this.view.name());
		List<HandlerMethod> handlers = subjects.stream()
			.map((subject) -> new HandlerMethod("live view '" + this.view.name() + "'", subject, fold.classes(), true,
					handler))
			.toList();
		return new ProjectorEndpoint(id, id.durable(), this.view.stream(), handlers, options, readModel)
			.withKey(new Order(fold, this.view.hasManyKeys()));
	}

	static boolean isName(String view) {
		return NAME.matcher(view).matches();
	}

	private void check(List<String> problems) {
		if (!isName(this.view.name())) {
			problems.add("Its name is a token of subjects, and cannot be '" + this.view.name()
					+ "'. Consider 1 to 200 letters, digits, '_' and '-'.");
		}
		if (this.view.version() < 1) {
			problems.add("Its version " + this.view.version() + " is less than 1. Consider 1.");
		}
		if (this.view.subjects().isEmpty()) {
			problems.add("It has no subject. Consider that of its events, such as \"stock.{tenant}.>\".");
		}
		if (this.view.folds().isEmpty()) {
			problems.add("It folds no events. Consider a method apply, or on(...).");
		}
		String event = this.view.event();
		if (event.isBlank() || event.equals(LiveFrame.REBUILD) || event.equals(FrameForm.DIGEST)
				|| event.chars().anyMatch((c) -> c <= ' ' || c > '~')) {
			problems
				.add("Its frames cannot have the event '" + event + "'. Consider printable characters without blanks,"
						+ " and neither '" + LiveFrame.REBUILD + "' nor '" + FrameForm.DIGEST + "'.");
		}
		Integer most = this.view.maxStateBytes();
		if (most != null && most < 2) {
			problems.add("Its maxStateBytes " + most + " leaves no room for a state. Consider 262144.");
		}
	}

	private @Nullable ProjectorOptions options(ProjectorSettingsSource settings, List<String> problems) {
		try {
			ProjectorOptions options = ProjectorOptions
				.of(settings.forProjector(this.view.name()).orElse(this.view.settings()).orElse(settings.defaults()));
			if (options.get(ProjectorSettings::source) == Source.INLINE) {
				problems.add("Its source is INLINE, but a view reads its events after their commit. Consider"
						+ " EVENT_STORE.");
			}
			if (options.get(ProjectorSettings::ordering) != Ordering.PER_KEY || options.settings().key() != null) {
				problems.add(
						"Its ordering and key are the view's. Consider removing 'ordering' and 'key' from its settings.");
			}
			int lanes = options.get(ProjectorSettings::concurrency);
			if (this.view.hasManyKeys() && lanes != 1) {
				problems.add("Its events have several keys, which need one lane, but its concurrency is " + lanes
						+ ". Consider concurrency = 1 for it, or a method key in place of keys.");
			}
			return options;
		}
		catch (InvalidOptionsException ex) {
			problems.add(String.valueOf(ex.getMessage()));
			return null;
		}
	}

	private Set<SubjectTemplate> subjects(List<String> problems) {
		Set<SubjectTemplate> subjects = new LinkedHashSet<>();
		for (String subject : this.view.subjects()) {
			try {
				subjects.add(SubjectTemplate.of(subject));
			}
			catch (SubjectTemplate.InvalidSubjectException ex) {
				problems.add(String.valueOf(ex.getMessage()));
			}
		}
		return subjects;
	}

	/** Also events that cannot be read have the key that all events of a tenant share. */
	private record Order(ViewFold<?> fold, boolean shared) implements OrderingKey {

		@Override
		public @Nullable String keyOf(Event<?> event) {
			return this.fold.orderOf(event);
		}

		@Override
		public @Nullable String ofAll() {
			return this.shared ? ViewFold.ALL_KEYS : null;
		}

	}

}
