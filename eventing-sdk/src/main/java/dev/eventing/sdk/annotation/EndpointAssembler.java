package dev.eventing.sdk.annotation;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.ReadModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.TableScript;
import org.jspecify.annotations.Nullable;

/** Creates one endpoint from all handlers of a projector. */
final class EndpointAssembler {

	private final ProjectorSettingsSource settings;

	private final Problems problems;

	private final EndpointNames names;

	EndpointAssembler(ProjectorSettingsSource settings, Problems problems) {
		this.settings = settings;
		this.problems = problems;
		this.names = new EndpointNames(problems);
	}

	/** Returns the valid endpoints, sorted by name and version. */
	List<ProjectorEndpoint> assemble(List<HandlerDeclaration> declarations) {
		Map<String, NavigableMap<Integer, List<HandlerDeclaration>>> projectors = new TreeMap<>();
		// Reflection returns methods in an order that differs between JVMs. Sort them.
		declarations.stream()
			.sorted(Comparator.comparing(HandlerDeclaration::where))
			.forEach((each) -> projectors.computeIfAbsent(each.projector(), (name) -> new TreeMap<>())
				.computeIfAbsent(each.readModel().version(), (version) -> new ArrayList<>())
				.add(each));
		new TypeConflicts(this.problems).check(declarations);
		List<ProjectorEndpoint> endpoints = new ArrayList<>();
		projectors.forEach((name, versions) -> versions.values().forEach((handlers) -> {
			ProjectorEndpoint endpoint = endpoint(name, handlers);
			if (endpoint != null) {
				endpoints.add(endpoint);
			}
		}));
		this.names.check(endpoints);
		return endpoints;
	}

	private @Nullable ProjectorEndpoint endpoint(String name, List<HandlerDeclaration> handlers) {
		if (new HandlerConflicts(name, this.problems).areIn(handlers)) {
			return null;
		}
		Map<String, Object> said = new HashMap<>();
		handlers.forEach((handler) -> said.putAll(handler.said()));
		String stream = (String) said.get("stream");
		List<HandlerMethod> methods = handlers.stream().map(HandlerDeclaration::method).toList();
		ProjectorOptions options = this.problems.attempt(where(name, methods), () -> options(name, handlers));
		ReadModel readModel = this.problems.attempt(where(name, methods), () -> readModel(handlers));
		if (!this.names.accepts(name, methods) || options == null || readModel == null) {
			return null;
		}
		ProjectorId id = ProjectorId.of(name);
		String durableName = (String) said.getOrDefault("durableName", id.durable());
		return new ProjectorEndpoint(id, durableName, stream, methods, options, readModel);
	}

	/** The classes of a projector share its read model. */
	private static ReadModel readModel(List<HandlerDeclaration> handlers) {
		Set<String> tables = new TreeSet<>();
		Map<String, TableScript> scripts = new TreeMap<>();
		Set<ReadModel.Reset> resets = new LinkedHashSet<>();
		Set<ReadModel.StreamRows> rows = new LinkedHashSet<>();
		handlers.forEach((handler) -> {
			tables.addAll(handler.readModel().tables());
			resets.addAll(handler.readModel().resets());
			rows.addAll(handler.readModel().rows());
			TableScript script = handler.readModel().script();
			if (script != null) {
				scripts.put(script.location(), script);
			}
		});
		if (scripts.size() > 1) {
			throw new InvalidHandlerException("its classes have the scripts " + scripts.keySet()
					+ ", but the tables of a version are created by one", "one script at one of them");
		}
		return new ReadModel(handlers.get(0).readModel().version(), tables,
				scripts.values().stream().findFirst().orElse(null), List.copyOf(resets), rows);
	}

	private ProjectorOptions options(String name, List<HandlerDeclaration> handlers) {
		ProjectorSettings annotated = handlers.stream()
			.map(HandlerDeclaration::settings)
			.reduce(ProjectorSettings.NONE, ProjectorSettings::orElse);
		return ProjectorOptions.of(this.settings.forProjector(name).orElse(annotated).orElse(this.settings.defaults()));
	}

	private static String where(String name, List<HandlerMethod> methods) {
		return "Projector '" + name + "' with " + methods.stream().map(HandlerMethod::description).toList();
	}

}
