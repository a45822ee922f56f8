package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The classes of a kind of process, as a rehearsal has loaded them. Processes that map
 * them start in half the processor time. The first JVM of tests that asks has the
 * rehearsal, and no test waits for it: a process without an archive, or with one of other
 * classes, loads them from their jars.
 */
final class ClassArchive {

	private static final Path DIRECTORY = Path.of("target", "class-archives").toAbsolutePath();

	/** An older archive has former classes. */
	private static final Duration FORMER = Duration.ofHours(1);

	private final Path file;

	/** Why there is none. */
	private final Path failure;

	private final Rehearsal rehearsal;

	private ClassArchive(String key, Rehearsal rehearsal) {
		this.file = DIRECTORY.resolve(key + ".jsa");
		this.failure = DIRECTORY.resolve(key + ".failure");
		this.rehearsal = rehearsal;
	}

	/**
	 * The archive of processes that have these jars as their class path, and no folder:
	 * no JVM archives classes of folders.
	 */
	static ClassArchive of(List<Path> jars, Rehearsal rehearsal) {
		StringBuilder contents = new StringBuilder(System.getProperty("java.vm.version", ""));
		jars.forEach((jar) -> contents.append(stamp(jar, jar)));
		return new ClassArchive(hash(contents), rehearsal);
	}

	/** The options of a process that is to map the archive; none while there is none. */
	synchronized List<String> options() {
		if (!Files.exists(this.file) && !Files.exists(this.failure)) {
			createUnlessAnotherDoes();
		}
		// a JVM that cannot map it would say so among what the process prints
		return Files.exists(this.file) ? List.of("-XX:SharedArchiveFile=" + this.file, "-Xlog:cds*=off") : List.of();
	}

	private void createUnlessAnotherDoes() {
		try {
			Files.createDirectories(DIRECTORY);
			try (FileChannel channel = FileChannel.open(this.file.resolveSibling(this.file.getFileName() + ".lock"),
					StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
				if (lock != null && !Files.exists(this.file) && !Files.exists(this.failure)) {
					create();
					deleteFormer();
				}
			}
		}
		catch (IOException ex) {
			System.err.println("There is no archive of classes: " + ex);
		}
	}

	private void create() throws IOException {
		Path unfinished = this.file.resolveSibling(this.file.getFileName() + ".unfinished");
		try {
			this.rehearsal.run("-XX:ArchiveClassesAtExit=" + unfinished);
			Files.move(unfinished, this.file, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (Exception | AssertionError ex) {
			System.err.println("There is no archive of classes: " + ex);
			Files.writeString(this.failure, ex.toString());
		}
	}

	/**
	 * Not the jars: another JVM of tests may have them in the class path of its nodes.
	 */
	private static void deleteFormer() throws IOException {
		try (var found = Files.list(DIRECTORY)) {
			for (Path each : found.filter((entry) -> !entry.toString().endsWith(".jar")).toList()) {
				if (Files.getLastModifiedTime(each).toInstant().isBefore(Instant.now().minus(FORMER))) {
					Files.deleteIfExists(each);
				}
			}
		}
	}

	/** Returns the jar itself, or a jar of what is in this folder now. */
	static Path jar(Path entry) {
		if (!Files.isDirectory(entry)) {
			return entry;
		}
		try (var found = Files.walk(entry)) {
			List<Path> files = found.filter(Files::isRegularFile).sorted().toList();
			StringBuilder contents = new StringBuilder();
			files.forEach((file) -> contents.append(stamp(entry.relativize(file), file)));
			Path jar = DIRECTORY.resolve(hash(contents) + ".jar");
			if (!Files.exists(jar)) {
				Files.createDirectories(DIRECTORY);
				Path unfinished = Files.createTempFile(DIRECTORY, "classes", ".unfinished");
				pack(entry, files, unfinished);
				link(unfinished, jar);
			}
			return jar;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Another JVM may pack the same; the time of the first is in the archive. */
	private static void link(Path unfinished, Path jar) throws IOException {
		try {
			Files.createLink(jar, unfinished);
		}
		catch (FileAlreadyExistsException ex) {
			// it has the same classes
		}
		Files.delete(unfinished);
	}

	private static void pack(Path folder, List<Path> files, Path jar) throws IOException {
		try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
			out.setLevel(Deflater.BEST_SPEED);
			for (Path file : files) {
				out.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
				Files.copy(file, out);
			}
		}
	}

	private static String stamp(Path name, Path file) {
		try {
			return "\n" + name + " " + Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String hash(CharSequence contents) {
		return UUID.nameUUIDFromBytes(contents.toString().getBytes(StandardCharsets.UTF_8)).toString();
	}

	/** A process that does what others will do, and ends in order. */
	interface Rehearsal {

		/** Runs it to its end; it keeps its classes if it has this option. */
		void run(String option) throws Exception;

	}

}
