package dev.eventing.benchmark.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.sdk.config.LiveViewWebConfiguration;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.web.LiveConnections;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.FileSystemUtils;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Serves the live views of an application to everybody, by Tomcat at its defaults. */
final class LiveServer implements AutoCloseable {

	/** Kept, so that its level is. */
	private static final Logger TOMCAT = Logger.getLogger("org.apache");

	private final Path directory = Files.createTempDirectory("benchmark");

	private final Tomcat tomcat = new Tomcat();

	private final AnnotationConfigWebApplicationContext web = new AnnotationConfigWebApplicationContext();

	/** Starts it on a port of the loopback that is free. */
	LiveServer(ApplicationContext application) throws IOException, LifecycleException {
		// At its end it warns of threads of the application, which ends after it.
		TOMCAT.setLevel(Level.SEVERE);
		this.tomcat.setSilent(true);
		this.web.setParent(application);
		this.web.register(Web.class);
		Connector connector = new Connector();
		connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
		connector.setPort(0);
		this.tomcat.setBaseDir(this.directory.toString());
		this.tomcat.setConnector(connector);
		Context context = this.tomcat.addContext("", this.directory.toString());
		Wrapper servlet = Tomcat.addServlet(context, "live", new DispatcherServlet(this.web));
		servlet.setAsyncSupported(true);
		servlet.setLoadOnStartup(1);
		context.addServletMappingDecoded("/", "live");
		this.tomcat.start();
	}

	InetSocketAddress address() {
		return new InetSocketAddress(InetAddress.getLoopbackAddress(), this.tomcat.getConnector().getLocalPort());
	}

	/** How many streams are open, as far as it knows. */
	int connections() {
		return this.web.getBean(LiveConnections.class).connections();
	}

	@Override
	public void close() {
		this.web.close();
		try {
			this.tomcat.stop();
			this.tomcat.destroy();
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (LifecycleException ex) {
			throw new IllegalStateException("Tomcat does not stop.", ex);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	@Import(LiveViewWebConfiguration.class)
	static class Web {

		@Bean
		LiveViewAccess everybody() {
			Optional<TenantId> tenant = Optional.of(TenantId.of(AccountChange.TENANT));
			return (request) -> tenant;
		}

	}

}
