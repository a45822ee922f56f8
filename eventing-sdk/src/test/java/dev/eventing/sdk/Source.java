package dev.eventing.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;

/**
 * A source file of the SDK as the compiler reads it: with the names in its code, and
 * without those in its comments.
 *
 * @param unit the parsed file
 * @param text the whole file
 * @param positions where its parts begin and end
 */
record Source(CompilationUnitTree unit, String text, SourcePositions positions) {

	/** The sources of the SDK, and of the tools of operators beside it. */
	static final List<Path> ROOTS = List.of(Path.of("src/main/java/dev/eventing/sdk"),
			Path.of("../eventing-operator/src/main/java/dev/eventing/sdk"));

	/** The folder of generated files. */
	private static final Path TARGET = Path.of("target");

	/** Parses all files of the SDK, and of the tools of operators. */
	static List<Source> ofTheSdk() {
		return ROOTS.stream().flatMap((root) -> under(root).stream()).toList();
	}

	/** Parses the files of the SDK and of its test kit, which run in applications. */
	static List<Source> ofTheLibraries() {
		return Stream.of(ROOTS.get(0), Path.of("../eventing-sdk-test/src/main/java"))
			.flatMap((root) -> under(root).stream())
			.toList();
	}

	/** Parses all files of the project, tests and samples too. */
	static List<Source> ofTheProject() {
		return under(Path.of(".."));
	}

	private static List<Source> under(Path root) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> all = Files.walk(root)) {
			List<Path> paths = all.filter((path) -> path.toString().endsWith(".java"))
				.filter((path) -> StreamSupport.stream(path.spliterator(), false).noneMatch(TARGET::equals))
				.sorted()
				.toList();
			JavacTask task = (JavacTask) compiler.getTask(null, files, (diagnostic) -> {
			}, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
			SourcePositions positions = Trees.instance(task).getSourcePositions();
			List<Source> parsed = new ArrayList<>();
			for (CompilationUnitTree unit : task.parse()) {
				parsed.add(new Source(unit, unit.getSourceFile().getCharContent(true).toString(), positions));
			}
			return parsed;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The name of the file with its package, such as {@code store/LogTable}. */
	String name() {
		Path file = Path.of(this.unit.getSourceFile().getName()).toAbsolutePath().normalize();
		Path root = ROOTS.stream()
			.map((each) -> each.toAbsolutePath().normalize())
			.filter(file::startsWith)
			.findFirst()
			.orElse(ROOTS.get(0).toAbsolutePath());
		return root.relativize(file).toString().replace(".java", "").replace('\\', '/');
	}

	long lines(Tree tree) {
		LineMap lines = this.unit.getLineMap();
		return lines.getLineNumber(this.positions.getEndPosition(this.unit, tree))
				- lines.getLineNumber(this.positions.getStartPosition(this.unit, tree)) + 1;
	}

	void types(Consumer<ClassTree> visitor) {
		new TreeScanner<Void, Void>() {

			@Override
			public Void visitClass(ClassTree type, Void nothing) {
				visitor.accept(type);
				return super.visitClass(type, null);
			}

		}.scan(this.unit, null);
	}

	/** The texts in the code, except the arguments of calls with {@code Locale.ROOT}. */
	void textsOfAnyLocale(Consumer<String> visitor) {
		new TreeScanner<Void, Void>() {

			@Override
			public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
				boolean hasLocale = !call.getArguments().isEmpty()
						&& call.getArguments().get(0).toString().equals("Locale.ROOT");
				return hasLocale ? null : super.visitMethodInvocation(call, null);
			}

			@Override
			public Void visitLiteral(LiteralTree literal, Void nothing) {
				if (literal.getValue() instanceof String text) {
					visitor.accept(text);
				}
				return null;
			}

		}.scan(this.unit, null);
	}

	/**
	 * The simple names in the code that may be classes of the same package: not those
	 * that the file imports or declares itself.
	 */
	Set<String> namesOfItsPackage() {
		Set<String> names = new TreeSet<>();
		Set<String> others = new TreeSet<>();
		new TreeScanner<Void, Void>() {

			@Override
			public Void visitImport(ImportTree node, Void nothing) {
				String name = node.getQualifiedIdentifier().toString();
				String own = Source.this.unit.getPackageName() + ".";
				if (name.startsWith(own) && Character.isUpperCase(name.charAt(own.length()))) {
					names.add(name.substring(own.length()).split("\\.", 2)[0]);
				}
				others.add(name.substring(name.lastIndexOf('.') + 1));
				return null;
			}

			@Override
			public Void visitClass(ClassTree type, Void nothing) {
				others.add(type.getSimpleName().toString());
				return super.visitClass(type, null);
			}

			@Override
			public Void visitIdentifier(IdentifierTree node, Void nothing) {
				names.add(node.getName().toString());
				return null;
			}

		}.scan(this.unit, null);
		names.removeAll(others);
		return names;
	}

}
