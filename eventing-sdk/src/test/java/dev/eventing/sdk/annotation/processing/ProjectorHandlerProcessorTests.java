package dev.eventing.sdk.annotation.processing;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;

import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProjectorHandlerProcessorTests {

	private static final long METHOD_LINE = 16;

	private static final long ANNOTATION_LINE = METHOD_LINE - 1;

	private static final String SUBJECT = "@ProjectorEventHandler(subject = \"{tenant}.order.placed\")";

	/** In one line, so that the others keep their places. */
	private static final String ABSTRACT_TYPES = "sealed interface End permits Closed, Failure { } "
			+ "record Closed(String id) implements End { } sealed interface Failure extends End { } "
			+ "record Lost(String id) implements Failure { } sealed interface HalfOpen permits Open { } "
			+ "non-sealed interface Open extends HalfOpen { } "
			+ "@dev.eventing.sdk.event.EventType(\"named\") interface Named { } ";

	@TempDir
	Path output;

	/** By that a start knows that the compiler ran it. */
	@Test
	void notesTheClassesThatItHasChecked() {
		assertThat(compileUnit("class Other { } class Listener {", SUBJECT, "void on(Placed event) { }")).isEmpty();
		assertThat(this.output.resolve(ProjectorHandlerProcessor.CHECKED)).isDirectoryContaining("glob:**test.Listener")
			.isDirectoryNotContaining("glob:**test.Other");
	}

	@Nested
	class Accepts {

		@ParameterizedTest
		@ValueSource(strings = { "void on(Placed event)", "public void on(Placed event, UUID eventId, String tenantId)",
				"void on(Placed event, UUID eventId, TenantId tenantId)", "void on(Event<Placed> event)",
				"void on(Event<Placed> event, UUID eventId, String tenantId)", "void on(List<Event<Placed>> events)",
				"void on(List<? extends Event<Placed>> events)", "void on(Changed<Placed> event)",
				"void on(JsonNode event)", "void on(T event)", "void on(Placed event) throws Exception",
				"void on(Placed event, ReadModelWriter writer)",
				"void on(Placed event, UUID eventId, String tenantId, ReadModelWriter writer)",
				"void on(Event<Placed> event, ReadModelWriter writer)",
				"void on(Event<Placed> event, UUID eventId, TenantId tenantId, ReadModelWriter writer)",
				"void on(List<Event<Placed>> events, ReadModelWriter writer)", "void on(Placed event, Effects effects)",
				"void on(Event<Placed> event, UUID eventId, String tenantId, HandlerMode mode, Effects effects, "
						+ "ReadModelWriter writer)",
				"void on(List<Event<Placed>> events, HandlerMode mode)" })
		void allowedSignatures(String signature) {
			assertThat(compile(SUBJECT, signature + " { }")).isEmpty();
		}

		@ParameterizedTest
		@ValueSource(strings = { "{tenant}.order.*", "order.>", "${orders.subject}", "#{@subjects.orders}",
				"{tenant}..${x}" })
		void subjectsThatAreValidOrNotYetKnown(String subject) {
			assertThat(compile("@ProjectorEventHandler(subject = \"" + subject + "\")", "void on(Placed event) { }"))
				.isEmpty();
		}

		@ParameterizedTest
		@ValueSource(strings = { "End", "Event<End>", "List<Event<End>>", "Named" })
		void sealedAndNamedTypes(String parameter) {
			assertThat(
					compileUnit(ABSTRACT_TYPES + "class Listener {", SUBJECT, "void on(" + parameter + " event) { }"))
				.isEmpty();
		}

		@Test
		void anEventTypeThatFits() {
			assertThat(compile("@ProjectorEventHandler(subject = \"a\", eventType = Placed.class)",
					"void on(Object event) { }"))
				.isEmpty();
		}

		@Test
		void aConstantAsSubject() {
			assertThat(compile("@ProjectorEventHandler(subject = \"a.\" + \"b\")", "void on(Placed event) { }"))
				.isEmpty();
		}

	}

	@Nested
	class Reports {

		@ParameterizedTest
		@ValueSource(strings = { "void on() { }", "void on(Placed event, UUID eventId) { }",
				"void on(Placed event, String tenantId, UUID eventId) { }",
				"void on(Placed event, UUID eventId, Object tenantId) { }", "void on(ReadModelWriter writer) { }",
				"void on(ReadModelWriter writer, Placed event) { }",
				"void on(Placed event, UUID eventId, ReadModelWriter writer) { }",
				"void on(Placed event, ReadModelWriter one, ReadModelWriter other) { }",
				"void on(Placed event, Effects effects, UUID eventId, String tenantId) { }",
				"void on(Placed event, Effects one, Effects other) { }", "void on(HandlerMode mode) { }" })
		void parametersNoHandlerMayHave(String method) {
			assertError(compile(SUBJECT, method), METHOD_LINE,
					"A handler cannot have these parameters. Consider one of");
		}

		@Test
		void collectionsThatAreNoBatch() {
			assertError(compile(SUBJECT, "void on(List<Placed> events) { }"), METHOD_LINE, "could be a batch");
			assertError(compile(SUBJECT, "void on(Set<Event<Placed>> events) { }"), METHOD_LINE, "could be a batch");
		}

		@Test
		void rawEvents() {
			assertError(compile(SUBJECT, "void on(Event event) { }"), METHOD_LINE,
					"The payload type of a raw Event is unknown");
		}

		@Test
		void batchesWithIdAndTenant() {
			assertError(compile(SUBJECT, "void on(List<Event<Placed>> events, UUID eventId, String tenantId) { }"),
					METHOD_LINE, "A batch has no single event id");
		}

		@ParameterizedTest
		@ValueSource(strings = { "Object", "String", "Map<String, String>", "Event<?>", "byte[]", "int" })
		void payloadsThatNameNoEventType(String payload) {
			assertError(compile(SUBJECT, "void on(" + payload + " event) { }"), METHOD_LINE, "is not an event type");
		}

		@ParameterizedTest
		@ValueSource(strings = { "Open", "Event<Open>", "List<Event<HalfOpen>>", "HalfOpen" })
		void typesThatNoEventCanBeOf(String parameter) {
			assertError(
					compileUnit(ABSTRACT_TYPES + "class Listener {", SUBJECT, "void on(" + parameter + " event) { }"),
					METHOD_LINE, "Payload test.Open is abstract and not sealed, so no event has that type");
		}

		@Test
		void anEventTypeThatDoesNotFit() {
			assertError(
					compile("@ProjectorEventHandler(subject = \"a\", eventType = String.class)",
							"void on(Placed event) { }"),
					METHOD_LINE, "eventType = java.lang.String cannot be passed to a parameter of type");
		}

		@ParameterizedTest
		@ValueSource(strings = { "int on(Placed event) { return 1; }",
				"CompletableFuture<Void> on(Placed event) { return null; }" })
		void results(String method) {
			assertError(compile(SUBJECT, method), METHOD_LINE, "A handler must return nothing");
		}

		@Test
		void privateMethods() {
			assertError(compile(SUBJECT, "private void on(Placed event) { }"), METHOD_LINE, "must not be private");
		}

		@Test
		void staticMethods() {
			assertError(compile(SUBJECT, "static void on(Placed event) { }"), METHOD_LINE, "must not be static");
		}

		@Test
		void everyProblemOfAMethod() {
			assertThat(compile("@ProjectorEventHandler(subject = \"\")", "private static int on() { return 1; }"))
				.hasSize(5);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "a..b", "a b", "a.>.b", "{tenant}.{customer}" })
		void invalidSubjectsOnTheAnnotation(String subject) {
			assertError(compile("@ProjectorEventHandler(subject = \"" + subject + "\")", "void on(Placed event) { }"),
					ANNOTATION_LINE, "Subject '" + subject + "'");
		}

		@Test
		void handlersThatStandInNoClass() {
			assertError(compileUnit("interface Listener<T> {", SUBJECT, "void on(Placed event);"), METHOD_LINE,
					"A handler must be a method of a class");
			assertError(compileUnit("enum Listener { ONE;", SUBJECT, "void on(Placed event) { }"), METHOD_LINE,
					"A handler must be a method of a class");
		}

		@Test
		void theSubjectOfAComposedAnnotation() {
			assertError(compileUnit("interface Outer {", "@ProjectorEventHandler(subject = \"a..b\")",
					"@interface OnOrder { }"), ANNOTATION_LINE, "Subject 'a..b'");
		}

	}

	@Nested
	class Behaves {

		@Test
		void asAServiceOfTheJar() {
			assertThat(ServiceLoader.load(Processor.class)).hasAtLeastOneElementOfType(ProjectorHandlerProcessor.class);
		}

		@Test
		void andLeavesUnknownTypesToTheCompiler() {
			assertError(compile(SUBJECT, "void on(NoSuchType event) { }"), METHOD_LINE, "cannot find symbol");
		}

		@Test
		void andHasNoOptions() {
			assertThat(new ProjectorHandlerProcessor().getSupportedOptions()).isEmpty();
		}

		@Test
		void withNothingButTheSdkOnTheProcessorPath() throws Exception {
			URL sdk = ProjectorHandlerProcessor.class.getProtectionDomain().getCodeSource().getLocation();
			try (URLClassLoader alone = new URLClassLoader(new URL[] { sdk }, ClassLoader.getPlatformClassLoader())) {
				Object processor = alone.loadClass(ProjectorHandlerProcessor.class.getName())
					.getDeclaredConstructor()
					.newInstance();
				assertError(compile((Processor) processor, "class Listener {",
						"@ProjectorEventHandler(subject = \"a..b\")", "void on(List<Event<Placed>> event) { }"),
						ANNOTATION_LINE, "Subject 'a..b'");
			}
		}

	}

	private static void assertError(List<Diagnostic<? extends JavaFileObject>> diagnostics, long line, String message) {
		assertThat(diagnostics).singleElement().satisfies((diagnostic) -> {
			assertThat(diagnostic.getKind()).isEqualTo(Diagnostic.Kind.ERROR);
			assertThat(diagnostic.getMessage(Locale.ENGLISH)).contains(message);
			assertThat(diagnostic.getLineNumber()).isEqualTo(line);
		});
	}

	private List<Diagnostic<? extends JavaFileObject>> compile(String annotation, String method) {
		return compileUnit("class Listener<T> {", annotation, method);
	}

	private List<Diagnostic<? extends JavaFileObject>> compileUnit(String type, String annotation, String member) {
		return compile(new ProjectorHandlerProcessor(), type, annotation, member);
	}

	private List<Diagnostic<? extends JavaFileObject>> compile(Processor processor, String type, String annotation,
			String member) {
		String source = """
				package test;
				import java.util.List;
				import java.util.Map;
				import java.util.Set;
				import java.util.UUID;
				import java.util.concurrent.CompletableFuture;
				import dev.eventing.sdk.annotation.ProjectorEventHandler;
				import dev.eventing.sdk.event.Event;
				import dev.eventing.sdk.event.TenantId;
				import dev.eventing.sdk.projector.*;
				import tools.jackson.databind.JsonNode;
				record Placed(String id) { }
				record Changed<T>(T value) { }
				%s
				%s
				%s
				}
				""".formatted(type, annotation, member);
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		JavaCompiler.CompilationTask task = compiler.getTask(null, null, diagnostics,
				List.of("-d", this.output.toString()), null, List.of(new Source(source)));
		task.setProcessors(List.of(processor));
		task.call();
		return diagnostics.getDiagnostics();
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String text) {
			super(URI.create("string:///test/Listener.java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
