package dev.eventing.sdk;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.BeanUtils;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** A context that is processed ahead of time: its hints, and its code. */
public final class AheadOfTime {

	private final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

	private final RuntimeHints hints;

	private final String initializer;

	private AheadOfTime(GenericApplicationContext context, Class<?> target) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(target)), this.files);
		ClassName generated = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		this.hints = generation.getRuntimeHints();
		this.initializer = generated.canonicalName();
	}

	/** Processes the context of these classes. The last one gives names to the code. */
	public static AheadOfTime of(Map<String, Object> properties, Class<?>... classes) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			set(context.getEnvironment(), properties);
			context.register(classes);
			return new AheadOfTime(context, classes[classes.length - 1]);
		}
	}

	private static void set(ConfigurableEnvironment environment, Map<String, Object> properties) {
		environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
	}

	/** The hints for a native image. */
	public RuntimeHints hints() {
		return this.hints;
	}

	/**
	 * Compiles the code, starts a context from it in a separate class loader, and returns
	 * the result of the look.
	 */
	public List<?> start(Path folder, Map<String, Object> properties, Class<? extends Look> look) throws Exception {
		compile(folder);
		Thread thread = Thread.currentThread();
		ClassLoader former = thread.getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(classPath(folder), ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(loader);
			Method started = loader.loadClass(AheadOfTime.class.getName())
				.getMethod("started", String.class, Map.class, String.class);
			return (List<?>) started.invoke(null, this.initializer, properties, look.getName());
		}
		finally {
			thread.setContextClassLoader(former);
		}
	}

	/** Called in the other class loader. */
	@SuppressWarnings("unchecked")
	public static List<String> started(String initializer, Map<String, Object> properties, String look) {
		ClassLoader loader = AheadOfTime.class.getClassLoader();
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			set(context.getEnvironment(), properties);
			ApplicationContextInitializer<GenericApplicationContext> generated = create(initializer, loader,
					ApplicationContextInitializer.class);
			generated.initialize(context);
			context.refresh();
			return create(look, loader, Look.class).at(context);
		}
	}

	private static <T> T create(String name, ClassLoader loader, Class<T> type) {
		return BeanUtils.instantiateClass(ClassUtils.resolveClassName(name, loader), type);
	}

	private void compile(Path folder) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", folder.toString(), "-cp",
				System.getProperty("java.class.path")));
		Path sources = Files.createDirectory(folder.resolve("sources"));
		for (String name : this.files.getGeneratedFiles(Kind.SOURCE).keySet()) {
			Path file = sources.resolve(name);
			Files.createDirectories(file.getParent());
			arguments.add(Files.writeString(file, this.files.getGeneratedFileContent(Kind.SOURCE, name)).toString());
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).as("errors").isZero();
	}

	private static URL[] classPath(Path folder) throws MalformedURLException {
		List<URL> urls = new ArrayList<>(List.of(folder.toUri().toURL()));
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
			urls.add(Path.of(entry).toUri().toURL());
		}
		return urls.toArray(URL[]::new);
	}

	/** A look at a context. */
	public interface Look {

		List<String> at(GenericApplicationContext context);

	}

}
